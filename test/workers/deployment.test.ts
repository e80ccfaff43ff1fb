import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Bindings, readVars } from '../../src/workers/deployment.ts';
import { answerRequest } from '../../src/workers/worker.ts';
import { BASE, operationOf, readAnswer } from '../support/client.ts';
import { checkProblem } from '../support/control.ts';

const VARS = {
  SANDBOX_ADMIN_TOKEN: 'secret',
  SANDBOX_AUTO_MERCHANTS: '1',
  SANDBOX_MAX_MERCHANTS: '500',
  SANDBOX_NOW: '2026-01-31T10:00:00Z',
  SANDBOX_FREEZE: 'true',
  SANDBOX_SEED: '7',
  SANDBOX_AMOUNT_CHECK: 'ignore',
  SANDBOX_PROFILE: '{"version":1,"decisions":{"list-order":"oldest-first"}}',
  SANDBOX_PUBLIC_URL: 'https://sandbox.example',
  SANDBOX_CORS: 'https://shop.example, https://desk.example',
  SANDBOX_NO_REDACT: '1',
  SANDBOX_DEMO: '1',
};

describe('deployment variables', () => {
  test('set the same options as the command line', () => {
    expect(readVars({ WORLDS: {}, ...VARS })).toEqual({
      options: {
        adminToken: 'secret',
        autoMerchants: true,
        maxMerchants: 500,
        now: '2026-01-31T10:00:00Z',
        clock: 'frozen',
        seed: 7,
        amountCheck: 'ignore',
        profile: { version: 1, decisions: { 'list-order': 'oldest-first' } },
        publicUrl: 'https://sandbox.example',
        cors: ['https://shop.example', 'https://desk.example'],
        redact: false,
      },
      hasDemo: true,
    });
  });

  test('take a day as the start of the clocks, like the command line', () => {
    const { options } = readVars({ SANDBOX_NOW: '2026-01-31', SANDBOX_FREEZE: '1' });
    const { now } = createSandbox(options).createMerchant().clock.show();
    expect(now).toBe('2026-01-31T00:00:00.000Z');
  });

  test('accept JSON values of a Worker configuration, and ignore empty ones', () => {
    const profile = { version: 1, decisions: {} };
    expect(
      readVars({
        SANDBOX_SEED: 7,
        SANDBOX_FREEZE: true,
        SANDBOX_PROFILE: profile,
        SANDBOX_CORS: '',
        SANDBOX_DEMO: false,
      }),
    ).toEqual({ options: { seed: 7, clock: 'frozen', profile }, hasDemo: false });
  });

  test.each([
    [{ SANDBOX_SEED: 'seven' }, 'SANDBOX_SEED: seed must be a whole number from 0 to 4294967295'],
    [{ SANDBOX_CORS: 'http://a,b' }, 'SANDBOX_CORS: cors must be an origin'],
    [{ SANDBOX_FREEZE: 'yes' }, 'SANDBOX_FREEZE: clock must be "running", "frozen"'],
    [{ SANDBOX_DEMO: 'yes' }, 'SANDBOX_DEMO must be 1 or 0; got "yes".'],
    [{ SANDBOX_ADMIN_TOKEN: 'my secret' }, 'adminToken must be a non-empty string without spaces'],
    [
      { SANDBOX_PORT: '4015' },
      'SANDBOX_PORT is not supported in a Worker. Supported variables: SANDBOX_',
    ],
    [{ SANDBOX_SEDE: '7' }, 'Did you mean SANDBOX_SEED?'],
  ])('fail every request with the reason if one is invalid: %j', async (vars, sentence) => {
    const headers = { authorization: 'Bearer some-key' };
    const paths = ['/livez', '/_sandbox/clock', '/_sandbox/merchants'];
    for (const path of [...paths, operationOf('listMotorPolicies').path]) {
      const request = new Request(BASE + path, { headers });
      const answer = await readAnswer(
        await answerRequest(request, vars as unknown as Bindings, { waitUntil: () => {} }),
      );
      checkProblem(answer);
      expect(answer.status, path).toBe(503);
      expect(answer.body.detail).toContain(sentence);
      expect(answer.text, 'a secret is never shown').not.toContain('my secret');
    }
  });

  test('are all listed in the example README, with the policy limit of a World', async () => {
    const readme = await readFile('examples/workers/README.md', 'utf8');
    const named = [...readme.matchAll(/`(SANDBOX_\w+)`/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(Object.keys(VARS)));
    const source = await readFile('src/workers/room.ts', 'utf8');
    const [, most = 'no number'] = /MAX_POLICIES = ([\d_]+);/.exec(source) ?? [];
    expect(readme).toContain(`${Number(most.replaceAll('_', '')).toLocaleString('en')} policies`);
  });
});

test('a Worker refuses the Model Context Protocol, and names the command that serves it', async () => {
  const request = new Request(`${BASE}/_sandbox/mcp`, { method: 'POST' });
  const answer = await readAnswer(
    await answerRequest(request, VARS as unknown as Bindings, { waitUntil: () => {} }),
  );
  checkProblem(answer, [404]);
  expect(answer.body.detail).toContain('micro-insurance-sandbox mcp --url');
});
