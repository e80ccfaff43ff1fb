import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toText } from '../../src/tools/check/report.ts';
import { command, fake, KEY, OTHER_KEY, serveSandbox } from './support.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'check-'));
const FAMILY = ['--family', 'group-life'];

test('check --all prints every operation and assumption, and its progress in one temporary line', async () => {
  const { url } = await serveSandbox();
  const args = ['--url', `${url}/`, '--key', KEY, ...FAMILY, '--all'];
  const { code, out, err } = await command(args, { errColumns: 40 });
  expect(code).toBe(0);
  expect(out).toMatch(
    /^Compared http:\S+ with the contract in \d+ requests\.\n\nNo differences\.\n/,
  );
  expect(out).toMatch(/✓ verifyGroupLifePolicy: \d+ agree/);
  expect(out).toMatch(/confirmed +token-boundary/);
  expect(out).not.toContain(KEY);
  expect(out).not.toContain('\r');
  const lines = err.split('\r\u001b[K');
  expect(lines.slice(0, 2)).toEqual(['', 'reading products and prices']);
  expect(lines[2]).toMatch(/^1 of \d+ {2}initiateGroupLifePolicy/);
  expect(lines.at(-1)).toBe('');
  expect(Math.max(...lines.map((line) => line.length))).toBe(39);
  expect(err).not.toContain('\n');
});

test('check reports a difference as JSON and as JUnit XML, and writes a profile that explains it', async () => {
  const message = 'Again <&> "this"?';
  const profile = { version: 1, decisions: { 'token-used': { message } } };
  const { url } = await serveSandbox({ profile });
  const [junit, written] = [join(folder(), 'junit.xml'), join(folder(), 'profile.json')];
  const args = ['--url', url, '--key', KEY, ...FAMILY];
  const files = ['--junit', junit, '--write-profile', written];
  const { code, out } = await command([...args, '--json', ...files]);
  expect(code).toBe(1);
  expect(JSON.parse(out).differences).toEqual([
    {
      path: '$.response_message',
      expected: '"Token has already been used"',
      seen: JSON.stringify(message),
      assumptions: ['token-used'],
      profile: profile.decisions,
      example: {
        operation: 'verifyGroupLifePolicy',
        scenario: 'Tokens are used once',
        shows: 'a second time',
      },
      places: [{ operation: 'verifyGroupLifePolicy', path: '$.response_message', times: 3 }],
    },
  ]);
  expect(JSON.parse(readFileSync(written, 'utf8'))).toEqual(profile);
  const xml = readFileSync(junit, 'utf8');
  expect(xml).toMatch(/<testsuite name="verifyGroupLifePolicy" tests="\d+" failures="[1-9]\d*"/);
  expect(xml).toContain('Again &lt;&amp;&gt; \\&quot;this\\&quot;?');
  expect(await command([...args, '--profile', written])).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /\n\nNo differences\.\nThis profile makes a sandbox respond the same way: .+\n$/,
    ),
    err: '',
  });
});

test('check reports a difference with operations, path, expected and seen', async () => {
  const decisions = { 'http-status': { policy_unknown: 410 } };
  const { url } = await serveSandbox({ profile: { version: 1, decisions } });
  const { code, out } = await command(['--url', url, '--key', KEY, '--read-only']);
  expect(code).toBe(1);
  expect(out).toContain(', without purchases.\n\n1 difference, seen ');
  expect(out).toMatch(/✗ \w+ and 2 others {2}status {2}\(assumption http-status\)\n/);
  expect(out).toMatch(/\n +expected {2}404 \(policy unknown\)\n +seen {6}410 {2}\(\d+ times\)\n/);
  expect(out).toContain(`    profile   ${JSON.stringify(decisions)} matches\n`);
});

test.each(['--junit', '--write-profile'])(
  'check refuses a file for %s that cannot be written before it sends a request',
  async (flag) => {
    const { url, sandbox } = await serveSandbox();
    const args = ['--url', url, '--key', KEY, flag];
    const file = join(folder(), 'missing', 'report');
    const missing = await command([...args, file]);
    expect(missing).toMatchObject({ code: 2, out: '' });
    expect(missing.err).toContain(`${file}: its folder does not exist`);
    expect((await command([...args, folder()])).err).toContain('is a folder, not a file');
    expect(sandbox.merchant(KEY).journal.list()).toEqual([]);
  },
);

test('check reads its flags from variables, and never prints the other key', async () => {
  // If merchants cannot be created, the second key must be given.
  const { url, sandbox } = await serveSandbox({ adminToken: 'secret' });
  const environment = { CHECK_URL: url, CHECK_KEY: KEY, CHECK_OTHER_KEY: OTHER_KEY };
  const { out, code } = await command([...FAMILY, '--json', '--read-only'], { environment });
  expect(code).toBe(0);
  expect(out).not.toContain(OTHER_KEY);
  const asked = sandbox.merchant(OTHER_KEY).journal.list();
  expect(asked.map(({ operation }) => operation)).toContain('getGroupLifePolicyDetails');
});

test('keys that a server echoes are hidden in every report format', async () => {
  const keys = ['sk/live+<key>"&1', 'sk_other_1234567890'] as const;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const forms = keys.flatMap((key) => [
    key,
    key.toUpperCase(),
    encodeURIComponent(key),
    encodeURIComponent(encodeURIComponent(key)),
    [...key].map((each) => `%${each.charCodeAt(0).toString(16)}`).join(''),
    JSON.stringify(key).slice(1, -1),
    [...key].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    Buffer.from(key).toString('hex'),
    ...['', 'B', 'Be', 'Bearer '].map((before) => base64(before + key)),
    Buffer.from(`u:${key}`).toString('base64url'),
    key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  ]);
  const url = await fake((request, response) => {
    const page = `http://${request.headers.host}/?key=${encodeURIComponent(keys[0])}&k=${keys[0]}`;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        success: true,
        response_message: `for ${keys[0]}`,
        [keys[0]]: 1,
        data: {
          [keys[1]]: keys[0],
          first_page_url: page,
          deep: forms.map((form) => ({ [form]: form, quoted: JSON.stringify({ form }) })),
        },
      }),
    );
  });
  const [junit, profile] = [join(folder(), 'junit.xml'), join(folder(), 'profile.json')];
  const args = ['--url', url, '--key', keys[0], '--other-key', keys[1], ...FAMILY, '--read-only'];
  const { out } = await command([...args, '--json', '--junit', junit, '--write-profile', profile]);
  const text = toText(JSON.parse(out), true);
  const parts = ['sk/live', 'sk%2Flive', 'sk_other', base64('live+<key'), '1234567890'];
  for (const told of [out, text, readFileSync(junit, 'utf8'), readFileSync(profile, 'utf8')]) {
    for (const form of [...forms, ...parts]) {
      expect(told.toLowerCase()).not.toContain(form.toLowerCase());
    }
  }
  expect(text).toContain('[key]');
});

test('a numeric key is hidden if a server returns it as a number', async () => {
  const digits = '12345678901';
  const url = await fake((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: true, data: { total: Number(digits) } }));
  });
  const args = ['--url', url, '--key', digits, ...FAMILY, '--read-only', '--json'];
  expect((await command(args)).out).not.toContain(digits);
});

test.each([
  ['one flag', ['--product', 'motor=8,micro-health=9']],
  ['several flags', ['--product', 'motor=8', '--product', 'micro-health=9']],
])('check takes the products of several families in %s', async (_, flags) => {
  const { url } = await serveSandbox();
  const { out } = await command(['--url', url, '--key', KEY, '--read-only', '--json', ...flags]);
  const reasons = JSON.parse(out).not_asked.map(({ reason }: { reason: string }) => reason);
  expect(reasons).toContain('no product found; name one with --product micro_health=ID');
  expect(reasons).toContain('no product found; name one with --product motor=ID');
});
