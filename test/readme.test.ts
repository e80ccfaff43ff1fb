import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operationIds } from '../src/control/fields.ts';
import { profileOptions } from '../src/control/profile.ts';
import { createSandbox } from '../src/index.ts';
import { chaos } from '../src/node/commands/chaos.ts';
import { startSandbox } from '../src/node/index.ts';
import { START_OPTIONS } from '../src/start-options.ts';
import { FAILURES } from '../src/tools/chaos/failures.ts';
import { OUTCOMES } from '../src/tools/chaos/text.ts';
import { RESOURCES } from '../src/tools/mcp/resources.ts';
import { TOOLS } from '../src/tools/mcp/tools.ts';
import { PROGRAM, serveHere } from './node/command.ts';
import { runHere } from './support/terminal.ts';

const SKILL = 'skills/micro-insurance-sandbox/SKILL.md';

const DOCS = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

/** The blocks of a page in one language, in their order. */
const blocksOf = (page: string, language: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, of]) => of === language)
    .map(([, , code]) => code as string);

/** The shell commands of a page, without those of the sandbox and other programs. */
const callsIn = (page: string): string =>
  blocksOf(page, 'sh')
    .filter((block) => /\bcall\b|\bcurl\b/.test(block))
    .join('\n');

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
const LOST = { fault: { effect: { kind: 'drop' } }, response: { body: { success: true } } };
const RULE = { stage: 'before', effect: { kind: 'respond', status: 503 } };
const TWO_SUBSCRIBERS = { data: { total: expect.any(Number), from: 1 } };

describe.skipIf(!hasShell)('pasted commands return what the page shows:', () => {
  test.each<[string, readonly object[]]>([
    [
      'README.md',
      [
        { message: 'Subscription verified successfully' },
        { effects: [EXPIRED] },
        { message: 'Token has expired' },
        { message: 'Token has already been used' },
        { data: [LOST] },
        RULE,
      ],
    ],
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
      'docs/control-plane.md',
      [
        { mode: 'running' },
        { effects: [] },
        { mode: 'frozen' },
        { data: { end_date: '2026-03-31T10:00:00.000000Z' } },
        RULE,
        { data: [RULE] },
        { message: 'Subscription verified successfully' },
        { data: [{ operation: 'initiateMicroHealthSubscription', status: 200 }] },
        { data: [{ operation: 'initiateMicroHealthSubscription' }] },
        { data: [{ first_name: expect.any(String) }], per_page: 1 },
        { data: [] },
        { data: [{ id: 1, premiums: expect.any(Array) }, {}, {}, { rate: 0.05 }] },
        { now: expect.any(String), mode: 'frozen' },
        { name: 'Demo Merchant', clock: { mode: 'running' } },
        { name: 'Team A', api_key: expect.any(String) },
        { data: expect.any(Array) },
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
      // This server needs no rate limit.
      const args = shown
        .filter((arg, place) => arg !== '--rps' && shown[place - 1] !== '--rps')
        .map(here);
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
  ...['public.ts', 'sandbox.ts', 'control/control-error.ts', 'control/refusal-error.ts'],
  ...['node/start-sandbox.ts', 'node/chaos/index.ts', 'kit/connect.ts', 'kit/vitest.ts'],
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
  const pages = ['README.md', 'docs/embedding.md', 'docs/chaos.md', SKILL];
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
  const blocks = ['README.md', 'docs/embedding.md']
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

test('the table of flags lists every flag of the command', () => {
  const table = readFileSync('docs/command-line.md', 'utf8');
  const flags = Object.values(START_OPTIONS).flatMap((rows) =>
    rows.map(([flag]) => /--[a-z-]+/.exec(flag)?.[0] as string),
  );
  expect(flags.filter((flag) => !table.includes(`\`${flag}`))).toEqual([]);
});

test('the page about the MCP server lists every tool and resource', () => {
  const page = readFileSync('docs/mcp.md', 'utf8');
  const rows = (heading: string) => {
    const [, section = ''] = page.split(`## ${heading}\n`);
    const [table = ''] = section.split('\n## ');
    return [...table.matchAll(/^\| `(.*?)` \|/gm)].map(([, name]) => name);
  };
  expect(rows('Tools')).toEqual(TOOLS.map(({ name }) => name));
  expect(rows('Resources')).toEqual(RESOURCES.map(({ name }) => `sandbox://${name}`));
});

describe('the skill for agents', () => {
  const text = readFileSync(SKILL, 'utf8');

  test('begins with its name and description, and has at most 150 lines', () => {
    expect(text).toMatch(/^---\nname: micro-insurance-sandbox\ndescription: .{40,1024}\n---\n/);
    expect(text.split('\n').length).toBeLessThanOrEqual(150);
  });

  test('names operations, commands and control calls that exist', async () => {
    const named = [...text.matchAll(/\b((?:initiate|verify|validate|topUp|list|get)[A-Z]\w+)/g)];
    expect(named.length).toBeGreaterThan(9);
    for (const [, operation = ''] of named) expect(operationIds).toContain(operation);
    for (const [, name = ''] of text.matchAll(/npx micro-insurance-sandbox ([a-z]+)/g)) {
      expect((await runHere([name, '--help'])).code, name).toBe(0);
    }
    const sandbox = createSandbox();
    const calls = [...text.matchAll(/^\| `(GET|POST) (\/\S+)`(?: `(.*?)`)? \|/gm)];
    expect(calls).toHaveLength(5);
    for (const [, method = '', path = '', body] of calls) {
      const headers = {
        authorization: 'Bearer sk_sandbox_demo',
        ...(body && { 'content-type': 'application/json' }),
      };
      const { ok } = await sandbox.fetch(path, { method, headers, ...(body && { body }) });
      expect(ok, `${method} ${path} ${body}`).toBe(true);
    }
  });
});

test('the page about chaos lists every failure, outcome and flag', () => {
  const page = readFileSync('docs/chaos.md', 'utf8');
  const failures = FAILURES.map(({ failure }) => `| \`${failure}\` |`);
  const outcomes = OUTCOMES.map((outcome) => `| ${outcome} |`);
  const flags = Object.values(chaos.options).flatMap((rows) =>
    rows.map(([flag]) => `\`${/--[a-z-]+/.exec(flag)?.[0]}`),
  );
  const told = [...failures, ...outcomes, ...flags];
  expect(told.filter((each) => !page.includes(each))).toEqual([]);
});

test('the table of profiles lists everything that a profile can set', () => {
  const [, table = ''] = readFileSync('docs/profiles.md', 'utf8').split('| assumption | values |');
  const listed = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, ids = '']) =>
    [...ids.matchAll(/`([\w-]+)`/g)].map(([, id]) => id),
  );
  expect(listed.toSorted()).toEqual(Object.keys(profileOptions).toSorted());
});

test('the README is at most 10 kB', () => {
  expect(readFileSync('README.md').byteLength).toBeLessThanOrEqual(10_000);
});

test('the index of the documentation names every page', () => {
  const index = readFileSync('docs/README.md', 'utf8');
  const others = DOCS.filter((page) => page !== 'docs/README.md');
  expect(others.filter((page) => !index.includes(`(${page.slice('docs/'.length)})`))).toEqual([]);
});

const LINKED = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/README.md', ...DOCS],
  ...['examples/README.md', 'examples/nginx/README.md', 'examples/testcontainers/README.md'],
];

describe('the links of', () => {
  test.each(LINKED)('%s lead somewhere', (page) => {
    const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)];
    for (const [, link] of links as unknown as [string, string][]) {
      const [file, heading] = link.split('#') as [string, string?];
      const path = file === '' ? page : normalize(join(dirname(page), file));
      expect(existsSync(path), link).toBe(true);
      if (heading !== undefined) expect(headingsOf(path), link).toContain(heading);
    }
  });
});

const headingsOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    (title as string)
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replace(/ /g, '-'),
  );
