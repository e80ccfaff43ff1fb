import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ChaosReport } from '../../src/node/index.ts';
import { exampleOf } from '../support/requests.ts';
import { runHere } from '../support/terminal.ts';

/** A folder of the project, so that files in it can import the package by its name. */
function newProject(files: Readonly<Record<string, string>>): (file: string) => string {
  const folder = mkdtempSync(resolve('.own-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return (file) => join(folder, file);
}

const ENVIRONMENT = { PATH: process.env.PATH as string };

async function chaos(...words: readonly string[]): Promise<ChaosReport> {
  const { out, err } = await runHere(['chaos', '--json', ...words], ENVIRONMENT);
  if (out === '') throw new Error(err);
  return JSON.parse(out);
}

const INPUT = JSON.stringify(exampleOf('initiateMotorPolicy'));
const BUY = `
const buy = async (merchant) => {
  const { body } = await merchant.call('initiateMotorPolicy', ${INPUT});
  if (!body.success) throw new Error(JSON.stringify(body));
  const verified = await merchant.call('verifyMotorPolicy', { token: body.data.token });
  if (!verified.body.success) throw new Error(JSON.stringify(verified.body));
};
`;

describe('a program that brings its own sandbox is disturbed and judged there', () => {
  test('with createSandbox, in process', async () => {
    const at = newProject({
      'hasty.mjs': `import { createSandbox } from 'micro-insurance-sandbox';
        ${BUY}
        const merchant = createSandbox().createMerchant();
        await buy(merchant).catch(() => buy(merchant));`,
    });
    const { operations, runs } = await chaos(
      '--slow',
      '1',
      '--',
      process.execPath,
      at('hasty.mjs'),
    );
    expect(operations).toEqual([
      { operation: 'initiateMotorPolicy', calls: 1, disturbed: 1 },
      { operation: 'verifyMotorPolicy', calls: 1, disturbed: 1 },
    ]);
    const twice = runs.filter(({ outcome }) => outcome === 'bought twice');
    expect(twice.map(({ operation, failure }) => `${operation}:${failure}`)).toEqual(
      ['lost', 'cut', 'garbage', 'gateway'].map((failure) => `verifyMotorPolicy:${failure}`),
    );
    expect(twice[0]?.calls.filter((line) => line.includes('+ motor policy'))).toHaveLength(2);
  });

  test('with startSandbox, over a socket', async () => {
    const at = newProject({
      'honest.mjs': `import { startSandbox } from 'micro-insurance-sandbox/node';
        ${BUY}
        const server = await startSandbox({ port: 0 });
        await buy(server.sandbox.createMerchant()).finally(server.close);`,
    });
    const { runs } = await chaos(
      ...['--only', 'verifyMotorPolicy:lost,verifyMotorPolicy:expired'],
      ...['--', process.execPath, at('honest.mjs')],
    );
    expect(runs).toMatchObject([
      { failure: 'lost', outcome: 'noticed', bought: [{ count: 1 }] },
      { failure: 'expired', outcome: 'noticed', bought: [] },
    ]);
  });

  test('calls are counted over all its processes, and a killed one is started again', async () => {
    const at = newProject({
      'buyer.mjs': `import { createSandbox } from 'micro-insurance-sandbox';
        ${BUY}
        await buy(createSandbox().createMerchant());`,
      'shop.mjs': `import { execFileSync } from 'node:child_process';
        for (let n = 0; n < 2; n++) execFileSync(process.execPath, [process.argv[2]]);`,
    });
    const { operations, runs } = await chaos(
      ...['--only', 'verifyMotorPolicy#2:503,verifyMotorPolicy#2:killed'],
      ...['--', process.execPath, at('shop.mjs'), at('buyer.mjs')],
    );
    expect(operations).toMatchObject([{ calls: 2 }, { calls: 2, disturbed: 1 }]);
    expect(runs).toMatchObject([
      { failure: '503', outcome: 'noticed', bought: [{ count: 1 }] },
      { failure: 'killed', outcome: 'bought twice', exit: 0, bought: [{ count: 4 }] },
    ]);
  });

  test('its tokens differ from run to run, unless it has a seed', async () => {
    const at = newProject({
      'tokens.mjs': `import { createSandbox } from 'micro-insurance-sandbox';
        import { appendFileSync } from 'node:fs';
        for (const options of [{}, { seed: 7 }]) {
          const merchant = createSandbox({ now: '2026-01-31T10:00:00Z', ...options }).createMerchant();
          const { body } = await merchant.call('initiateMotorPolicy', ${INPUT}).catch(() => ({}));
          appendFileSync(process.argv[2] + (options.seed ?? ''), (body?.data?.token ?? '') + '\\n');
        }`,
    });
    const file = at('tokens');
    await chaos(
      '--only',
      'initiateMotorPolicy:slow',
      '--slow',
      '1',
      '--jobs',
      '1',
      '--',
      process.execPath,
      at('tokens.mjs'),
      file,
    );
    const tokensIn = (name: string) => readFileSync(name, 'utf8').trim().split('\n');
    expect(new Set(tokensIn(file)).size).toBe(3);
    expect(new Set(tokensIn(`${file}7`)).size).toBe(1);
  });
});

test('a run that chaos did not write is refused in one line', async () => {
  vi.stubEnv('SANDBOX_CHAOS', 'yes');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, err } = await runHere(['start', '--port', '0'], ENVIRONMENT);
  expect({ code, err }).toEqual({
    code: 2,
    err: 'micro-insurance-sandbox: Only chaos sets SANDBOX_CHAOS. Unset it; got "yes".\n',
  });
});

test('the vitest example of the README is disturbed without a change', async () => {
  const [, pasted = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const at = newProject({
    'policy.test.ts': pasted,
    'vitest.config.mjs': 'export default {};',
  });
  const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--root', at('')];
  const { runs } = await chaos(
    '--only',
    'initiateMicroHealthSubscription:refused',
    '--',
    ...vitest,
  );
  expect(runs).toMatchObject([
    { operation: 'initiateMicroHealthSubscription', met: true, outcome: 'noticed', exit: 1 },
  ]);
});
