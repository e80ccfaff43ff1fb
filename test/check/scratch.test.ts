import { test } from 'vitest';
import { differencesOf } from '../../src/check/report.ts';
import { check } from '../../src/check/run.ts';
import { systemNow, wait } from '../../src/core/clock.ts';
import { createSandbox } from '../../src/index.ts';

test('x', async () => {
  for (const families of [['micro_health'], ['motor'], ['group_life'], undefined]) {
    const sandbox = createSandbox();
    const t = performance.now();
    const report = await check(
      { url: 'http://sandbox', key: 'sk_sandbox_demo', families },
      (r) => sandbox.fetch(r),
      { now: systemNow, wait },
    );
    console.log(families, performance.now() - t, report.requests, report.probes.length);
    for (const p of report.probes)
      if (p.outcome !== 'agrees')
        console.log(
          p.outcome,
          p.operation,
          '|',
          p.name,
          p.reason ?? '',
          p.differences
            .map((d) => `\n     ${d.path} exp ${d.expected} seen ${d.seen} [${d.decisions}]`)
            .join(''),
        );
    console.log(
      report.decisions
        .filter((d) => d.outcome !== 'confirmed')
        .map((d) => d.id + ': ' + d.outcome + ' ' + d.reason),
    );
    console.log(JSON.stringify(report.profile), report.not_in_profile);
  }
});
