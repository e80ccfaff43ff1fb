import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command, fake, serveSandbox } from './command.ts';
import { KEY } from './support.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'check-'));

describe('against a sandbox over a socket', () => {
  test('the command prints every operation and assumption and exits with 0', async () => {
    const sandbox = await serveSandbox();
    const { code, out, err } = await command('--url', sandbox.url, '--key', KEY);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toMatch(/✓ verifyMotorPolicy +\d+ agree/);
    expect(out).toMatch(/token-boundary +confirmed/);
    expect(out).toMatch(
      /No difference\. Decisions: \d+ confirmed, 0 contradicted, 0 not observable\./,
    );
    expect(out).not.toContain(KEY);
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
    expect(
      report.probes.flatMap(({ differences }: { differences: unknown[] }) => differences)[0],
    ).toEqual({
      operation: 'verifyMotorPolicy',
      path: '$.response_message',
      expected: '"Token has already been used"',
      seen: JSON.stringify('Again <&> "this"?'),
      decisions: ['token-used'],
    });
    expect(JSON.parse(readFileSync(profile, 'utf8'))).toEqual({
      version: 1,
      decisions: { 'token-used': { message: 'Again <&> "this"?' } },
    });
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toMatch(/<testsuite name="verifyMotorPolicy" tests="\d+" failures="[1-9]\d*"/);
    expect(xml).toContain('Again &lt;&amp;&gt; \\&quot;this\\&quot;?');
    expect(xml).toMatch(
      /<testcase classname="decisions" name="token-used">\s*<skipped message="contradicted"/,
    );
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
    expect(out).toContain('✗ initiateMicroHealthSubscription');
    expect(out).toMatch(
      /\$\.success\n +expected {2}false: refused with 422\n +seen {6}true\n.*amount-check/,
    );
    expect(out).toMatch(/amount-check +contradicted/);
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

test('the key is hidden where a server echoes it, in every form of the report', async () => {
  const key = 'sk/live+<key>"&1';
  const url = await fake((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-echo': 'no' });
    response.end(
      JSON.stringify({
        success: true,
        message: `for ${key}`,
        [key]: 1,
        data: {
          [key]: encodeURIComponent(key),
          first_page_url: `http://${request.headers.host}/?key=${encodeURIComponent(key)}&k=${key}`,
          deep: [{ quoted: JSON.stringify({ key }) }],
        },
      }),
    );
  });
  const junit = join(folder(), 'junit.xml');
  const profile = join(folder(), 'profile.json');
  const args = ['--url', url, '--key', key, '--junit', junit, '--write-profile', profile];
  const texts = [(await command(...args)).out, (await command(...args, '--json')).out];
  texts.push(readFileSync(junit, 'utf8'), readFileSync(profile, 'utf8'));
  const forms = [
    key,
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
    'sk/live',
    'sk%2Flive',
  ];
  for (const text of texts) for (const form of forms) expect(text).not.toContain(form);
  expect(texts[0]).toContain('[key]');
});
