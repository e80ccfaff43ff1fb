import { execFile, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../src/node.ts';

// The examples import the package by its name, as users do: they run against what is built. Those for Jest, vitest and
// Playwright run in an empty project: `npm run test:package`.
test.each([
  ['node:test', ['--test', 'examples/node-test/shop.test.mjs']],
  ['msw', ['--test', 'examples/msw/shop.test.mjs']],
])(
  'the example for %s passes',
  (_, args) => {
    const { VITEST: _vitest, NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    expect(status, stdout + stderr).toBe(0);
  },
  60_000,
);

describe('the careful merchant of chaos', () => {
  const LOST = { stage: 'after', effect: { kind: 'drop' } } as const;
  /** Runs it, and returns the numbers of the policies that it sold, by family. */
  async function sell(
    server: Awaited<ReturnType<typeof startSandbox>>,
    copies = 1,
  ): Promise<string[][]> {
    const { apiKey } = server.sandbox.merchant('sk_sandbox_other');
    const env = { ...process.env, SANDBOX_URL: server.url, SANDBOX_KEY: apiKey };
    const args = ['examples/chaos/careful.mjs', String(copies)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
  }

  test('sells a returning customer the sixteenth policy of a day, and two at once', async () => {
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const server = await startSandbox({ port: 0, now: anHourAgo });
    onTestFinished(() => server.close());
    const merchant = server.sandbox.merchant('sk_sandbox_other');
    const before = await sell(server, 15);
    // The customer returns now.
    merchant.clock.advance('PT1H');
    for (const operation of [
      'verifyMicroHealthSubscription',
      'verifyMotorPolicy',
      'verifyGroupLifePolicy',
    ] as const) {
      merchant.faults.add({ match: { operation }, ...LOST, times: 2 });
    }
    const after = await sell(server, 2);
    for (const [place, family] of (['micro_health', 'motor', 'group_life'] as const).entries()) {
      const { data, total } = merchant.records({ family, per_page: 2 });
      expect(total).toBe(17);
      const newest = data.map((sold) =>
        'policy_no' in sold ? sold.policy_no : sold.policy_number,
      );
      expect(after[place]?.toSorted()).toEqual(newest.toSorted());
      expect(new Set([...(before[place] ?? []), ...newest]).size).toBe(17);
    }
  }, 60_000);
});

const SCRIPTS = readdirSync('examples', { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.includes('/') && /\.[cm]?[jt]s$/.test(name),
);

test('each folder of examples stands alone', () => {
  const importing = SCRIPTS.filter((name) =>
    /(from|require\()\s*'\.\.\//.test(readFileSync(join('examples', name), 'utf8')),
  );
  expect(importing).toEqual([]);
});

test('the shop is the same in each folder', () => {
  const texts = new Map<string, Set<string>>();
  for (const name of SCRIPTS.filter((each) => /\/shop\.\w+$/.test(each))) {
    const form = name.slice(name.lastIndexOf('/'));
    texts.set(
      form,
      (texts.get(form) ?? new Set()).add(readFileSync(join('examples', name), 'utf8')),
    );
  }
  expect([...texts].map(([form, different]) => [form, different.size])).toEqual(
    [...texts.keys()].map((form) => [form, 1]),
  );
});

/** The settings of a new strict project. */
const STRICT = {
  ...{ target: 'es2022', lib: ['ES2022'], types: ['node'], skipLibCheck: true, noEmit: true },
  ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
  ...{ verbatimModuleSyntax: true, noImplicitOverride: true },
};

test.each(
  ['vitest', 'vitest-global-setup'].flatMap((name) => [
    [name, { module: 'nodenext' }],
    [name, { module: 'esnext', moduleResolution: 'bundler' }],
  ]) as [string, object][],
)(
  'the example %s compiles in a strict project with %j',
  (name, modules) => {
    const project = mkdtempSync(join(tmpdir(), 'example-'));
    onTestFinished(() => rmSync(project, { recursive: true }));
    cpSync(join('examples', name), project, { recursive: true });
    const installed = [
      ['micro-insurance-sandbox', '.'],
      ...['vitest', 'vite', '@types/node'].map((each) => [each, `node_modules/${each}`]),
    ] as [string, string][];
    for (const [module, place] of installed) {
      const link = join(project, 'node_modules', module);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(resolve(place), link);
    }
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    const compilerOptions = { ...STRICT, ...modules };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const { status, stdout } = spawnSync(resolve('node_modules/.bin/tsc'), ['-p', project], {
      encoding: 'utf8',
    });
    expect(status, stdout).toBe(0);
  },
  60_000,
);
