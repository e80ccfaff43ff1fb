import { expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, type SandboxOptions } from '../src/index.ts';

/** A merchant of a sandbox that logs, and the lines that it has logged. */
function createLogged(log: SandboxOptions['log']) {
  const lines: string[] = [];
  const console = vi.spyOn(globalThis.console, 'log').mockImplementation((line) => {
    lines.push(
      String(line)
        .replace(/^\d\d:\d\d:\d\d/, 'TIME')
        .replace(/\d+\.\d ms/, 'MS'),
    );
  });
  onTestFinished(() => console.mockRestore());
  const sandbox = createSandbox({ log });
  return { sandbox, merchant: sandbox.createMerchant({ name: 'Shop' }), lines };
}

test('a sandbox in process logs each call on the console, as soon as it is answered', async () => {
  const { sandbox, merchant, lines } = createLogged('calls');
  await merchant.call('listMotorPolicies');
  const path = '/api/merchant/get_comprehensive_motor_policies';
  expect(lines).toEqual(['TIME 200  GET get_comprehensive_motor_policies MS']);
  await merchant.call('verifyMotorPolicy');
  expect(lines[1]).toMatch(/^TIME 422 {2}POST \S+ MS {2}The token field is required\.$/);
  await merchant.fetch('/_sandbox/clock');
  await sandbox.fetch(path);
  expect(lines.slice(2)).toEqual([
    'TIME 200  GET /_sandbox/clock MS',
    expect.stringMatching(/^TIME 401 {2}GET \S+ MS {2}Unauth/),
  ]);
});

test('its log has bodies, or is JSON', async () => {
  const texts = createLogged('bodies');
  await texts.merchant.call('verifyMotorPolicy', { token: 'CMP1' });
  expect(texts.lines[0]).toContain('\n  request {\n    "token": "CMP1"\n  }\n  response {');
  const objects = createLogged('json');
  await objects.merchant.call('verifyMotorPolicy', { token: 'CMP1' });
  const [line = ''] = objects.lines;
  expect(JSON.parse(line)).toMatchObject({ operation: 'verifyMotorPolicy', status: 400 });
});

test('it logs nothing unless told, and refuses other words', async () => {
  const { merchant, lines } = createLogged('off');
  await merchant.call('listMotorPolicies');
  expect(lines).toEqual([]);
  expect(() => createSandbox({ log: 'all' as 'calls' })).toThrow(
    'log must be "off" or "calls" or "bodies" or "json"; got "all".',
  );
});
