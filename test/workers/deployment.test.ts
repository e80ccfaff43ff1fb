import { describe, expect, test } from 'vitest';
import { readVars } from '../../src/workers/deployment.ts';

describe('the variables of a deployment', () => {
  test('are the options that they are on the command line', () => {
    expect(
      readVars({
        WORLDS: {},
        SANDBOX_ADMIN_TOKEN: 'secret',
        SANDBOX_AUTO_MERCHANTS: '1',
        SANDBOX_MAX_MERCHANTS: '500',
        SANDBOX_NOW: '2026-01-31T10:00:00Z',
        SANDBOX_FREEZE: 'true',
        SANDBOX_SEED: '7',
        SANDBOX_AMOUNT_CHECK: 'ignore',
        SANDBOX_PROFILE: '{"version":1,"decisions":{"list-order":"oldest-first"}}',
        SANDBOX_PUBLIC_URL: 'https://sandbox.example',
        SANDBOX_CORS: 'https://shop.example',
        SANDBOX_NO_REDACT: '1',
        SANDBOX_DEMO: '1',
      }),
    ).toEqual({
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
        cors: 'https://shop.example',
        redact: false,
      },
      hasDemo: true,
    });
  });

  test('may be JSON, as the configuration of a Worker can have them', () => {
    const profile = { version: 1, decisions: {} };
    const { options, hasDemo } = readVars({
      SANDBOX_SEED: 7,
      SANDBOX_FREEZE: true,
      SANDBOX_PROFILE: profile,
      SANDBOX_DEMO: false,
    });
    expect(options).toEqual({ seed: 7, clock: 'frozen', profile });
    expect(hasDemo).toBe(false);
  });

  test('say nothing where they are empty', () => {
    expect(readVars({ SANDBOX_SEED: '', SANDBOX_DEMO: '' })).toEqual({
      options: {},
      hasDemo: false,
    });
  });

  test.each([
    [{ SANDBOX_SEED: 'seven' }, 'seed must be a whole number from 0 to 4294967295; got "seven".'],
    [{ SANDBOX_FREEZE: 'yes' }, 'clock must be "running", "frozen" or a function'],
    [{ SANDBOX_DEMO: 'yes' }, 'SANDBOX_DEMO must be 1 or 0; got "yes".'],
    [{ SANDBOX_ADMIN_TOKEN: 'a secret' }, 'adminToken must be a text without blanks'],
    [{ SANDBOX_PORT: '4015' }, 'SANDBOX_PORT means nothing to a Worker. Known are SANDBOX_'],
    [{ SANDBOX_SEDE: '7' }, 'Did you mean SANDBOX_SEED?'],
  ])('%j are refused', (vars, message) => {
    expect(() => readVars(vars)).toThrow(message);
  });

  test('never show a secret', () => {
    expect(() => readVars({ SANDBOX_ADMIN_TOKEN: 'my secret' })).not.toThrow(/my secret/);
  });
});
