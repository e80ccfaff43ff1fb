/* Runs the code of README and docs as it is pasted: `npm run test:docs`. `npm test` parses it and sends its requests. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../src/node.ts';
import { PROGRAM, serveHere } from './node/command.ts';
import { blocksOf, callsIn, DOCS, SKILL } from './support/pages.ts';
import { runHere } from './support/terminal.ts';

const hasShell = ['bash', 'curl'].every((program) => !spawnSync(program, ['--version']).error);

/** Runs commands in a shell and returns the responses, one per line. */
async function paste(commands: string): Promise<unknown[]> {
  const server = await startSandbox({ port: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'pasted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = `jq() { cat; }\n${commands.replaceAll('http://127.0.0.1:4015', server.url)}`;
  const shell = spawn('bash', ['-c', script], { cwd: folder });
  const said = await outputOf(shell);
  await server.close();
  return said
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

async function outputOf(process: ChildProcess): Promise<string> {
  let said = '';
  process.stdout?.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  await new Promise((done) => process.once('close', done));
  return said;
}

const EXPIRED = { kind: 'purchase_expired' };
const RULE = { stage: 'before', effect: { kind: 'respond', status: 503 } };
const TWO_SUBSCRIBERS = { data: { total: expect.any(Number), from: 1 } };

describe.skipIf(!hasShell)('pasted commands return what the page shows:', () => {
  test.each<[string, readonly object[]]>([
    [
      'docs/purchases.md',
      [
        { data: { quote_price: 700 } },
        { message: 'Subscription verified successfully' },
        { message: 'Subscription renewed successfully' },
        { message: 'Policy retrieved successfully' },
        { success: true, data: { premium: 175_000 } },
        { response_message: 'Comprehensive motor policy verified successfully' },
        { response_message: 'Group life policy verified successfully' },
        { data: { current_page: 2, next_page_url: expect.stringContaining('page=3') } },
        TWO_SUBSCRIBERS,
      ],
    ],
    [
      'docs/clock.md',
      [
        { mode: 'running' },
        { effects: [EXPIRED] },
        { message: 'Token has expired' },
        { mode: 'frozen' },
        { data: { end_date: '2026-03-31T10:00:00.000000Z' } },
      ],
    ],
    ['docs/faults.md', [RULE, { data: [RULE] }, { message: 'Token has already been used' }]],
    [
      'docs/journal.md',
      [
        { message: 'Subscription verified successfully' },
        { data: [{ operation: 'initiateMicroHealthSubscription', status: 200 }] },
        { id: 'req-1-3', status: 400, fault: { stage: 'after', effect: { kind: 'drop' } } },
        { data: [{ operation: 'initiateMicroHealthSubscription' }] },
      ],
    ],
    [
      'docs/merchants.md',
      [
        { name: 'Team A', api_key: expect.any(String) },
        { data: expect.any(Array) },
        { data: [{ first_name: expect.any(String) }], per_page: 1 },
        { data: [] },
        { data: [{ id: 1, premiums: expect.any(Array) }, {}, {}, { rate: 0.05 }] },
        { name: 'Demo Merchant', clock: { mode: 'running' } },
        { name: 'Demo Merchant' },
        { now: expect.any(String), mode: 'running' },
      ],
    ],
    ['docs/state.md', [{}]],
  ])(
    '%s',
    async (page, expected) => {
      const responses = await paste(callsIn(page));
      expect(responses.map((each) => JSON.stringify(each).slice(0, 300))).toHaveLength(
        expected.length,
      );
      expect(responses).toMatchObject(expected);
    },
    30_000,
  );
});

/** The arguments of each command of the sandbox on a page. */
const commandsIn = (page: string): string[][] =>
  blocksOf(page, 'sh')
    .flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
    .flatMap((line) => /^npx micro-insurance-sandbox\b([^#|]*)/.exec(line)?.slice(1) ?? [])
    .map((args) => args.trim().split(/\s+/).filter(Boolean));

describe('the commands of a page run:', () => {
  const pages = ['README.md', ...DOCS].filter((page) => commandsIn(page).length > 0);
  test.each(pages)('%s', async (page) => {
    // A server with one difference.
    const decisions = { 'list-order': 'newest-first' };
    const provider = await startSandbox({ port: 0, profile: { version: 1, decisions } });
    onTestFinished(() => provider.close());
    const folder = mkdtempSync(join(tmpdir(), 'pasted-'));
    const here = (arg: string) =>
      /\.json$|^my-fixtures$/.test(arg)
        ? join(folder, arg)
        : arg
            .replace('https://provider.example', provider.url)
            .replace('YOUR_KEY', 'sk_sandbox_demo');
    const [profile] = blocksOf(page, 'json');
    if (profile) writeFileSync(join(folder, 'provider.json'), profile);
    for (const shown of commandsIn(page)) {
      const args = shown.map(here);
      if (/^(check|fixtures|openapi)$/.test(args[0] ?? '') || args.includes('--help')) {
        const { code, err } = await runHere(args, { CHECK_KEY: 'sk_sandbox_demo' });
        const differs = args[0] === 'check' && !args.includes('--profile');
        expect({ code, err }, shown.join(' ')).toEqual({ code: differs ? 1 : 0, err: '' });
      } else if (args[0] === 'ready') {
        const { code } = await runHere([...args, '--url', provider.url]);
        expect(code).toBe(0);
      } else if (args[0] === 'mcp') {
        const ended = spawnSync(process.execPath, [PROGRAM, ...args], { input: '' });
        expect(ended.status, ended.stderr.toString()).toBe(0);
      } else if (args[0] === 'chaos') {
        const { out } = await runHere(args.map(inClone), { PATH: process.env.PATH as string });
        const blocks = blocksOf(page, 'text').map(inClone);
        expect(
          blocks.some((block) => isShown(block, out)),
          `${shown.join(' ')}\n${out}`,
        ).toBe(true);
      } else {
        // `proxy` and the sandbox itself run until they are stopped.
        const served = await serveHere(args.filter((arg) => arg !== '--open'));
        expect(served.said.err, shown.join(' ')).toBe('');
        await expect.poll(() => served.said.out).toContain('http://127.0.0.1:');
        expect((await served.stop()).code).toBe(0);
      }
    }
  });
});

/** The examples of the package are in the clone. */
const inClone = (text: string): string =>
  text.replaceAll('node_modules/micro-insurance-sandbox/examples/', 'examples/');

/** Whether a block shows an output; a line of `…` stands for any number of lines. Numbers and times differ. */
function isShown(block: string, output: string): boolean {
  const same = (text: string) =>
    text
      .replace(/\d\d:\d\d:\d\d/g, 'TIME')
      .replace(/\b(INS|CMP)\d+/g, '$1')
      .trimEnd();
  let rest = `\n${same(output)}\n`;
  const parts = `\n${same(block)}\n`.split(/(?<=\n) *…\n/);
  return parts.every((part, place) => {
    const at = rest.indexOf(part);
    if (at === -1 || (place === 0 && at > 0)) return false;
    rest = rest.slice(at + part.length - 1);
    return true;
  });
}

/** The files whose comments have examples that editors show. */
const EXAMPLES = [
  ...['types/public.ts', 'control/control-error.ts', 'control/refusal-error.ts'],
  ...['connect/connect.ts', 'tools/create-sandbox.ts', 'tools/start-sandbox.ts'],
  ...['tools/chaos/function.ts', 'kit/vitest.ts'],
].map((file) => `src/${file}`);

/** What the examples do not declare themselves. */
const DECLARED = `
import { ControlError, RefusalError, connect, createSandbox, sampleRequests } from 'micro-insurance-sandbox';
import { chaos, startSandbox } from 'micro-insurance-sandbox/node';
import { createTest, test } from 'micro-insurance-sandbox/vitest';
import { expect } from 'vitest';
const sandbox = createSandbox();
const merchant = sandbox.createMerchant();
const token = '';
declare const buyPolicy: (...given: unknown[]) => Promise<void>;
`;

/** The examples in the comments of files, each in a function of its own. */
const examplesIn = (files: readonly string[]): string[] =>
  files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^( *) \* @example\n((?:\1 \*(?!\/).*\n)+)/gm)].map(
      ([, , lines = '']) => `async () => {\n${lines.replace(/^ *\* ?(?:export )?/gm, '')}};\n`,
    ),
  );

test('the TypeScript of all pages and of the examples in comments compiles', async () => {
  const folder = mkdtempSync(resolve('.pasted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pages = ['README.md', 'docs/testing.md', 'docs/embedding.md', 'docs/chaos.md', SKILL];
  const blocks = pages.flatMap((page) => blocksOf(page, 'ts'));
  for (const [place, block] of blocks.entries()) writeFileSync(join(folder, `${place}.ts`), block);
  const examples = examplesIn(EXAMPLES);
  expect(examples.length).toBeGreaterThan(15);
  writeFileSync(join(folder, 'examples.ts'), DECLARED + examples.join(''));
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2023', strict: true, noEmit: true, skipLibCheck: true },
    noUncheckedIndexedAccess: true,
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const compiler = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder]);
  expect(await outputOf(compiler)).toBe('');
}, 60_000);

test('the vitest tests of all pages pass as they are pasted', async () => {
  const folder = mkdtempSync(resolve('.pasted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const blocks = ['README.md', 'docs/testing.md']
    .flatMap((page) => blocksOf(page, 'ts'))
    .filter((block) => /^(const )?test\b/m.test(block));
  for (const [place, block] of blocks.entries()) {
    writeFileSync(join(folder, `${place}.test.ts`), block);
  }
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};');
  const runner = spawn(process.execPath, [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--root',
    folder,
  ]);
  expect(await outputOf(runner)).toMatch(/Test Files .*3 passed/);
}, 60_000);

test.skipIf(spawnSync('php', ['--version']).error)('the PHP of all pages is valid', () => {
  for (const code of DOCS.flatMap((page) => blocksOf(page, 'php'))) {
    const input = code.startsWith('<?php') ? code : `<?php\n${code}`;
    const { status, stdout } = spawnSync('php', ['-l'], { input, encoding: 'utf8' });
    expect(status, stdout).toBe(0);
  }
});

test.skipIf(spawnSync('python3', ['--version']).error)('the Python of all pages is valid', () => {
  for (const input of DOCS.flatMap((page) => blocksOf(page, 'python'))) {
    const program = 'import ast, sys; ast.parse(sys.stdin.read())';
    const { status, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  }
});
