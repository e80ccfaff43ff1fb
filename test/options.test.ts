import { describe, expect, test } from 'vitest';
import { createSandbox, type SandboxOptions } from '../src/index.ts';

/** What code without types may hand in. */
const create = (options: unknown) => createSandbox(options as SandboxOptions);

describe('an option of a sandbox', () => {
  test.each<[unknown, string]>([
    [
      { clock: 'stopped' },
      'clock must be "running", "frozen" or a function that answers the time; got "stopped".',
    ],
    [
      { clock: null },
      'clock must be "running", "frozen" or a function that answers the time; got null.',
    ],
    [{ clock: 5 }, 'clock must be "running", "frozen" or a function that answers the time; got 5.'],
    [{ seed: 1.5 }, 'seed must be a whole number from 0 to 4294967295; got 1.5.'],
    [{ seed: '7' }, 'seed must be a whole number from 0 to 4294967295; got "7".'],
    [{ amountCheck: 'ignored' }, 'amountCheck must be "exact" or "ignore"; got "ignored".'],
    [{ autoMerchants: 'no' }, 'autoMerchants must be true or false; got "no".'],
    [{ redact: 'yes' }, 'redact must be true or false; got "yes".'],
    [{ maxMerchants: 0 }, 'maxMerchants must be a whole number of 1 or more; got 0.'],
    [{ maxMerchants: 1.5 }, 'maxMerchants must be a whole number of 1 or more; got 1.5.'],
    [{ maxMerchants: '9' }, 'maxMerchants must be a whole number of 1 or more; got "9".'],
    [{ maxMerchants: null }, 'maxMerchants must be a whole number of 1 or more; got null.'],
    [{ now: null }, 'now must be a moment like 2026-01-31T10:00:00Z'],
  ])('that would be misread is refused: %j', (options, message) => {
    expect(() => create(options)).toThrow(message);
  });

  test.each([
    'sandbox.example',
    '',
    'ftp://sandbox.example',
    'http://sandbox.example/?a=1',
    'http://a b',
  ])('can not make page URLs of "%s"', (publicUrl) => {
    expect(() => create({ publicUrl })).toThrow('publicUrl must be a URL');
  });

  test('can not be a token that no header could match, and the token is not repeated', () => {
    expect(() => create({ adminToken: 90210 })).toThrow(
      /^adminToken must be a text without blanks, and not empty\.$/,
    );
  });

  test('that nobody knows is refused, with those there are', () => {
    expect(() => create({ freeze: true })).toThrow(
      /^There is no option "freeze"; known: now, clock, seed, fixtures, .*adminToken, .*\.$/,
    );
  });

  test('may be undefined', () => {
    expect(() =>
      create({ clock: undefined, seed: undefined, maxMerchants: undefined, adminToken: undefined }),
    ).not.toThrow();
  });
});

test('a merchant does not start in 1970 because its moment is null', () => {
  const now = null as unknown as string;
  expect(() => createSandbox().createMerchant({ now })).toThrow('now must be a moment');
});
