import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../src/node/index.ts';

const readme = readFileSync('README.md', 'utf8');

/** The shell commands of some sections, as somebody pastes them one after the other. */
function commandsOf(...titles: string[]): string {
  const sections = readme.split(/^(?=## )/m);
  return titles
    .map((title) => sections.find((section) => section.startsWith(`## ${title}\n`)) as string)
    .flatMap((section) => [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code))
    .join('\n');
}

const hasShell = ['bash', 'curl'].every((program) => !spawnSync(program, ['--version']).error);

test.skipIf(!hasShell)(
  'what the README says to paste buys, expires, renews, pages, breaks and finds again',
  async () => {
    const server = await startSandbox({ port: 0 });
    const pasted = commandsOf('Buy a policy', 'See it', 'Own the clock', 'Break things');
    const shell = spawn('bash', ['-c', pasted.replace('http://127.0.0.1:4015', server.url)]);
    let said = '';
    shell.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    await new Promise((resolve) => shell.once('close', resolve));
    await server.close();

    const answers = said
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { data: { quote_price: 700 } },
      { message: 'Subscription verified successfully' },
      { response_message: 'Comprehensive motor policy verified successfully' },
      { response_message: 'Group life policy verified successfully' },
      { data: { current_page: 2, next_page_url: expect.stringContaining('page=3') } },
      { data: { total: expect.any(Number), from: 1 } },
      { data: [{ first_name: 'Ada' }], per_page: 1 },
      { data: [] },
      { effects: [{ kind: 'purchase_expired' }] },
      { message: 'Token has expired' },
      { data: { end_date: '2026-03-31T10:00:00.000000Z' } },
      { message: 'Token has already been used' },
      { data: [{ fault: { effect: { kind: 'drop' } }, response: { body: { success: true } } }] },
      { stage: 'before', effect: { kind: 'respond', status: 503 } },
    ]);
  },
  30_000,
);

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/README.md'],
  ...readdirSync('docs').map((name) => `docs/${name}`),
  ...['examples/README.md', 'examples/nginx/README.md', 'examples/testcontainers/README.md'],
];

describe('the links of', () => {
  test.each(pages)('%s lead somewhere', (page) => {
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
