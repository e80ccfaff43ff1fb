import type { Memory, Probe } from '../probe.ts';

/**
 * What a verify refuses.
 *
 * @param used the name in memory of an initiate whose token was verified
 * @param unknown a token of the right form that nobody was given
 */
export function verifications(operation: string, used: string, unknown: string): Probe[] {
  const malformed = (name: string, input: Record<string, unknown>): Probe => ({
    name,
    operation,
    call: () => ({ input }),
    refused: 'invalid',
    fields: ['token'],
    decisions: ['token-unknown'],
  });
  return [
    {
      name: 'refuses a second verify of a token',
      operation,
      call: (memory) => ({ input: { token: memory[used].token } }),
      refused: 'token_used',
      decisions: ['token-used'],
    },
    {
      name: 'refuses a token nobody was given',
      operation,
      call: () => ({ input: { token: unknown } }),
      refused: 'token_unknown',
      decisions: ['token-unknown'],
    },
    malformed('asks for a token', {}),
    malformed('takes a blank token for none', { token: ' ' }),
    malformed('refuses a token that is no text', { token: 5 }),
  ];
}

/** A verify of a token that another family gave; `initiated` finds what that family's initiate answered. */
export const foreignFamilyToken = (
  operation: string,
  initiated: (memory: Memory) => { readonly token: string } | undefined,
): Probe => ({
  name: "refuses another family's token",
  operation,
  call: (memory) => {
    const other = initiated(memory);
    return other ? { input: { token: other.token } } : 'no other family was asked';
  },
  refused: 'token_unknown',
  decisions: ['token-unknown'],
});

const LIFETIME_MS = 15 * 60_000;

/**
 * What becomes of a token as time passes; needs a clock that can be moved.
 *
 * @param initiate the probe that a purchase is initiated with
 */
export function lifetimes(
  initiate: Probe,
  verify: string,
  boundary: 'exclusive' | 'inclusive',
): Probe[] {
  const token = `${verify}_timed`;
  const initiates = (why: string, more: Partial<Probe> = {}): Probe => {
    const { claims: _claims, timed: _timed, ...sent } = initiate;
    return {
      ...sent,
      name: `initiates a purchase ${why}`,
      as: 'second',
      decisions: [],
      keep: token,
      ...more,
    };
  };
  const verifies = (name: string, advance: number, more: Partial<Probe>): Probe => ({
    name,
    operation: verify,
    as: 'second',
    call: (memory) => ({ input: { token: memory[token].token } }),
    ...(advance > 0 && { advance }),
    ...more,
  });
  const expired: Partial<Probe> = { refused: 'token_expired', decisions: ['token-expired'] };
  return [
    initiates('to verify late'),
    verifies('verifies in the last millisecond of 15 minutes', LIFETIME_MS - 1, {}),
    verifies('still knows a used token when its 15 minutes are over', 2, {
      refused: 'token_used',
      decisions: ['token-used'],
    }),
    initiates('to verify when 15 minutes are over'),
    verifies('takes the moment 15:00.000 as it is supposed to', LIFETIME_MS, {
      decisions: ['token-boundary'],
      ...(boundary === 'exclusive' && { refused: 'token_expired' }),
    }),
    initiates('to let expire'),
    verifies('refuses a token that expired', LIFETIME_MS + 1, expired),
    verifies('goes on refusing it', 0, expired),
  ];
}
