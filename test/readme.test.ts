/* README and docs say what is so: their code parses, their requests are valid, their tables and links are complete. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { operationIds } from '../src/control/fields.ts';
import { profileOptions } from '../src/control/profile.ts';
import { createSandbox } from '../src/index.ts';
import { START_OPTIONS } from '../src/sandbox/start-options.ts';
import { chaos } from '../src/tools/chaos/command.ts';
import { FAILURE_NAMES } from '../src/tools/chaos/failures.ts';
import { OUTCOMES } from '../src/tools/chaos/text.ts';
import { RESOURCES } from '../src/tools/mcp/resources.ts';
import { TOOLS } from '../src/tools/mcp/tools.ts';
import { blocksOf, callsIn, codeOf, DOCS, PAGES, SKILL } from './support/pages.ts';
import { runHere } from './support/terminal.ts';

/** Throws if code has a mistake of its language. Shell, Java, PHP and Python are left to `npm run test:docs`. */
const PARSERS: Record<string, (code: string) => unknown> = {
  ts: (code) => transformSync(code, { loader: 'ts' }),
  js: (code) => transformSync(code, { loader: 'js' }),
  json: (code) => JSON.parse(code),
  yaml: (code) => parseYaml(code),
};

test.each(PAGES)('the code of %s has no mistake', (page) => {
  for (const { language, code } of codeOf(page)) PARSERS[language]?.(code);
});

test('the YAML of the examples has no mistake', () => {
  const files = readdirSync('examples', { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /\.ya?ml$/.test(name))) {
    parseYaml(readFileSync(join('examples', file), 'utf8'));
  }
});

/** A request that a page shows as a shell command. */
interface Shown {
  readonly path: string;
  readonly method: string;
  readonly body?: string;
  readonly fault?: string;
}

/** The requests of a page. Variables of the shell get a value of the form that they have. */
function requestsOf(page: string): Shown[] {
  const text = callsIn(page).replaceAll('\\\n', ' ');
  const [, ada = ''] = /^ADA='(.*?)'$/ms.exec(text) ?? [];
  const calls = text.matchAll(
    /\bcall (?:'([^']+)'|"([^"]+)"|(\/\S+))((?: +(?:-X \w+|-H '[^']*'|-o [\w./]+|-d (?:'[^']*'|"(?:\\.|[^"])*")))*)/g,
  );
  return [...calls].map(([, ...parts]) => {
    const [path = '', options = ''] = [parts[0] ?? parts[1] ?? parts[2], parts[3]];
    const [, single, double] = /-d (?:'([^']*)'|"((?:\\.|[^"])*)")/.exec(options) ?? [];
    const body = single ?? double?.replace(/\\"/g, '"');
    const method = /-X (\w+)/.exec(options)?.[1] ?? (body === undefined ? 'GET' : 'POST');
    const fault = /-H 'Sandbox-Fault: ([^']*)'/.exec(options)?.[1];
    const filled = (shown: string) => shown.replace('$ADA', ada).replace(/\$\w+/g, '0123456789');
    return {
      ...{ path: filled(path), method },
      ...(body !== undefined && { body: filled(body) }),
      ...(fault && { fault }),
    };
  });
}

describe('the requests are those of the API:', () => {
  const pages = ['README.md', ...DOCS].filter((page) => requestsOf(page).length > 0);
  test.each(pages)('%s', async (page) => {
    const sandbox = createSandbox();
    for (const { path, method, body, fault } of requestsOf(page)) {
      if (path.startsWith('/_sandbox/journal/await')) continue;
      const response = await sandbox.fetch(`http://sandbox${path}`, {
        method,
        headers: {
          authorization: 'Bearer sk_sandbox_demo',
          'content-type': 'application/json',
          ...(fault && { 'sandbox-fault': fault }),
        },
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      // Tokens, policies and calls that the page made before are unknown here, and nothing else is wrong.
      const isUnknown =
        (response.status === 404 && !/route was not found|Unknown path/.test(text)) ||
        (response.status === 400 && text.includes('Invalid token')) ||
        (response.status === 200 && fault !== undefined);
      expect(response.ok || isUnknown, `${method} ${path} ${body}\n${text}`).toBe(true);
      expect(response.headers.get('sandbox-hint'), `${method} ${path}`).toBeNull();
    }
  });

  test('there are some on most pages', () => {
    const counts = pages.map((page) => requestsOf(page).length);
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(35);
  });
});

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
  const failures = FAILURE_NAMES.map((failure) => `| \`${failure}\` |`);
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

const LINKED = [...PAGES, 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/README.md'];

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

test('the snippet that uses types alone buys what it shows', async () => {
  const [snippet = ''] = blocksOf('docs/clients.md', 'ts');
  const { code } = transformSync(snippet, { loader: 'ts', format: 'esm', target: 'es2022' });
  const printed: unknown[] = [];
  const run = new Function('fetch', 'console', `return (async () => {${code}})()`);
  await run(createSandbox().fetch, { log: (line: unknown) => printed.push(line) });
  expect(printed).toEqual([expect.stringMatching(/^[0-9a-f]{40}$/)]);
});
