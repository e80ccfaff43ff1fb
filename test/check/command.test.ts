import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command, commandOn, fake, serveSandbox } from './command.ts';
import { KEY, OTHER_KEY } from './support.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'check-'));

describe('against a sandbox over a socket', () => {
  test('the command says that there is no difference and exits with 0', async () => {
    const sandbox = await serveSandbox();
    const args = ['--url', sandbox.url, '--key', KEY, '--family', 'motor'];
    const { code, out, err } = await command(...args);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^http:\S+ compared with the contract in \d+ requests\.\n\nNo difference\.\n$/,
    );
    expect(out).not.toContain(KEY);
  });

  test('--all prints every operation and assumption too', async () => {
    const sandbox = await serveSandbox();
    const args = ['--url', sandbox.url, '--key', KEY, '--family', 'motor', '--all'];
    const { out } = await command(...args);
    expect(out).toMatch(/✓ verifyMotorPolicy: \d+ agree/);
    expect(out).toMatch(/confirmed +token-boundary/);
  });

  test('the command reports as JSON and as JUnit XML, and writes a profile', async () => {
    const sandbox = await serveSandbox({
      profile: { version: 1, decisions: { 'token-used': { message: 'Again <&> "this"?' } } },
    });
    const [junit, profile] = [join(folder(), 'junit.xml'), join(folder(), 'profile.json')];
    const { code, out } = await command(
      '--url',
      sandbox.url,
      '--key',
      KEY,
      '--family',
      'motor',
      '--json',
      '--junit',
      junit,
      '--write-profile',
      profile,
    );
    expect(code).toBe(1);
    const report = JSON.parse(out);
    expect(report.differences).toEqual([
      {
        path: '$.response_message',
        expected: '"Token has already been used"',
        seen: JSON.stringify('Again <&> "this"?'),
        assumptions: ['token-used'],
        profile: { 'token-used': { message: 'Again <&> "this"?' } },
        example: {
          operation: 'verifyMotorPolicy',
          scenario: 'Tokens are used once',
          shows: 'a second time',
        },
        places: [{ operation: 'verifyMotorPolicy', path: '$.response_message', times: 3 }],
      },
    ]);
    expect(JSON.parse(readFileSync(profile, 'utf8'))).toEqual({
      version: 1,
      decisions: { 'token-used': { message: 'Again <&> "this"?' } },
    });
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toMatch(/<testsuite name="verifyMotorPolicy" tests="\d+" failures="[1-9]\d*"/);
    expect(xml).toContain('Again &lt;&amp;&gt; \\&quot;this\\&quot;?');
    expect(
      await command('--url', sandbox.url, '--key', KEY, '--family', 'motor', '--profile', profile),
    ).toMatchObject({ code: 0 });
  });

  test('the command tells differences with operation, path, expected and seen', async () => {
    const sandbox = await serveSandbox({ amountCheck: 'ignore' });
    const { code, out } = await command(
      '--url',
      `${sandbox.url}/`,
      '--key',
      KEY,
      '--family',
      'micro-health',
    );
    expect(code).toBe(1);
    expect(out).toMatch(/✗ \w+MicroHealthSubscription and 1 other {2}\$\.success/);
    expect(out).toMatch(
      /amount-check\)\n +expected {2}refused with 422 \(invalid\) for amount\n +seen {6}true/,
    );
    expect(out).toContain('{"amount-check":"ignore"} answers alike');
  });
});

test.each(['--junit', '--write-profile'])(
  'a file for %s that can not be written is refused before anything is bought',
  async (flag) => {
    const { url, sandbox } = await serveSandbox();
    const args = ['--url', url, '--key', KEY, flag];
    const file = join(folder(), 'missing', 'report');
    const missing = await command(...args, file);
    expect(missing).toMatchObject({ code: 2, out: '' });
    expect(missing.err).toContain(`${file}: its folder does not exist`);
    expect((await command(...args, folder())).err).toContain('is a folder, not a file');
    expect(sandbox.merchant(KEY).journal.list()).toEqual([]);
  },
);

test('progress is one line on standard error that is written again and again, and gone at the end', async () => {
  const sandbox = await serveSandbox();
  const args = ['--url', sandbox.url, '--key', KEY, '--family', 'motor'];
  const { out, err, code } = await commandOn({ errColumns: 40 }, ...args);
  expect(code).toBe(0);
  const lines = err.split('\r\u001b[K');
  expect(lines[0]).toBe('');
  expect(lines[1]).toBe('learns products and prices');
  expect(lines[2]).toMatch(/^1 of \d+ {2}getMotorQuote of the vehicle/);
  expect(lines.at(-1)).toBe('');
  expect(Math.max(...lines.map((line) => line.length))).toBe(39);
  expect(err).not.toContain('\n');
  expect(out).not.toContain('\r');
});

test('the other key comes from its variable, and stands in no output', async () => {
  // Where no merchant may be created, the other one has to be named.
  const sandbox = await serveSandbox({ adminToken: 'secret' });
  const environment = { CHECK_URL: sandbox.url, CHECK_KEY: KEY, CHECK_OTHER_KEY: OTHER_KEY };
  const { out, code } = await commandOn({ environment }, '--family', 'motor', '--json');
  expect(code).toBe(0);
  expect(out).not.toContain(OTHER_KEY);
  const asked = sandbox.sandbox.merchant(OTHER_KEY).journal.list();
  expect(asked.map(({ operation }) => operation)).toContain('getMotorPolicyDetails');
});

describe('keys are hidden where a server echoes them, in every form of the report', () => {
  const [key, other] = ['sk/live+<key>"&1', 'sk_other_1234567890'];
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const escapedAll = (text: string) =>
    [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const percentAll = (text: string) =>
    [...text].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('');
  const formsOf = (text: string): string[] => [
    text,
    text.toUpperCase(),
    encodeURIComponent(text),
    encodeURIComponent(encodeURIComponent(text)),
    percentAll(text),
    JSON.stringify(text).slice(1, -1),
    escapedAll(text),
    Buffer.from(text).toString('hex'),
    ...['', 'B', 'Be', 'Bearer '].map((before) => base64(before + text)),
    Buffer.from(`u:${text}`).toString('base64url'),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  ];

  test('in text, JSON, JUnit XML and the profile', async () => {
    const url = await fake((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const forms = [...formsOf(key), ...formsOf(other)];
      response.end(
        JSON.stringify({
          success: true,
          message: `for ${key}`,
          [key]: 1,
          data: {
            [other]: forms[0],
            first_page_url: `http://${request.headers.host}/?key=${encodeURIComponent(key)}&k=${key}`,
            deep: forms.map((form) => ({ [form]: form, quoted: JSON.stringify({ form }) })),
          },
        }),
      );
    });
    const junit = join(folder(), 'junit.xml');
    const profile = join(folder(), 'profile.json');
    const keys = ['--key', key, '--other-key', other];
    const args = ['--url', url, ...keys, '--family', 'micro-health', '--junit', junit];
    const texts = [
      (await command(...args, '--write-profile', profile)).out,
      (await command(...args, '--json')).out,
    ];
    texts.push(readFileSync(junit, 'utf8'), readFileSync(profile, 'utf8'));
    const parts = ['sk/live', 'sk%2Flive', 'sk_other', base64('live+<key'), '1234567890'];
    for (const text of texts) {
      for (const form of [...formsOf(key), ...formsOf(other), ...parts]) {
        expect(text.toLowerCase()).not.toContain(form.toLowerCase());
      }
    }
    expect(texts[0]).toContain('[key]');
  });

  test('in a number, where a key is one', async () => {
    const digits = '12345678901';
    const url = await fake((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ success: true, data: { total: Number(digits) } }));
    });
    const { out } = await command('--url', url, '--key', digits, '--json', '--family', 'motor');
    expect(out).not.toContain(digits);
  });
});
