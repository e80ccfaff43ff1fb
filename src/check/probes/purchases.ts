import { MINUTE_MS } from '../../core/time.ts';
import type { Operation } from '../../http/operation.ts';
import { anyFamilies } from '../../products/world.ts';
import { type Assertion, equals, type Json, matches, writtenNow } from '../assertions.ts';
import { parseInput, unassignedInput } from '../contract.ts';
import type { Memory, Probe } from '../probe.ts';
import { refusing, refusingInput, requiresAll } from './refusals.ts';

/*
 * Whom the check buys for. Every name says where it comes from, so that nobody takes the records for
 * those of a customer.
 */

export const FIRST_NAME = 'Contract';
export const SURNAME = 'Sandbox Check';
export const PHONE = '08030000000';
export const ADDRESS = '1 Check Street, Lagos';
/** Where its images stand. */
export const FILE = 'https://example.com/sandbox-check';

export const emailOf = ({ run }: Memory): string => `sandbox-check-${run}@example.com`;

/** A purchase in its two steps. */
export interface Purchase {
  readonly initiate: Operation;
  readonly verify: Operation;
  /** The request of initiate. */
  readonly request: Probe['request'];
  /** The name in memory of what verify answered. */
  readonly saveAs: string;
}

type Expectations = Pick<Probe, 'assumptions' | 'assertions'>;

/** What initiate answered to a purchase. */
export const initiated = (memory: Memory, purchase: Purchase): Json =>
  memory[initiatedName(purchase)];

/** What initiate reads from the request of a purchase. */
export function parsedPurchase(memory: Memory, { initiate, request }: Purchase): Json {
  const sent = request(memory);
  return typeof sent === 'string' ? {} : parseInput(initiate, sent.input);
}

const initiatedName = ({ initiate, saveAs }: Purchase) => `${initiate.operationId} ${saveAs}`;

/** A verify of what initiate answered. */
export const sendToken =
  (purchase: Purchase): Probe['request'] =>
  (memory) => ({ input: { token: initiated(memory, purchase).token } });

export const initiates = (name: string, purchase: Purchase, expected: Expectations): Probe => ({
  name,
  operation: purchase.initiate,
  request: purchase.request,
  saveAs: initiatedName(purchase),
  ...expected,
});

export const verifies = (name: string, purchase: Purchase, expected: Expectations): Probe => ({
  name,
  operation: purchase.verify,
  timed: true,
  request: sendToken(purchase),
  saveAs: purchase.saveAs,
  ...expected,
});

/** Two verifies at once. */
export const verifiesTwice = (name: string, purchase: Purchase, expected: Expectations): Probe => ({
  ...verifies(name, purchase, expected),
  twice: 'token_used',
  assumptions: ['token-used'],
});

/** That a record was made by this very request, and not changed since. */
export const madeNow = (
  data: Json,
  { between }: Pick<Memory, 'between'>,
  dates: Assertion['assumptions'],
  updated = dates,
): Assertion[] => [
  matches('created_at', /\.000000Z$/, 'a whole second', 'timestamp-precision'),
  ...writtenNow('created_at', between, ...dates),
  equals('updated_at', data.created_at, ...updated),
];

/** What verify refuses, once a purchase is complete. */
export function refusedVerifies(purchase: Purchase): Probe[] {
  const { verify } = purchase;
  const refuses = refusing(verify);
  const refusesInput = refusingInput(verify, (input) => ({ input }));
  const second = 'refuses a second verify of a token';
  const unknown = { input: unassignedInput(verify) };
  return [
    refuses(second, sendToken(purchase), 'token_used', 'token-used'),
    refuses('refuses a token nobody was given', unknown, 'token_unknown', 'token-unknown'),
    requiresAll(verify, 'asks for a token', ['token-unknown']),
    refusesInput('takes a blank token for none', { token: ' ' }, 'token-unknown'),
    refusesInput('refuses a token that is no text', { token: 5 }, 'token-unknown'),
  ];
}

/** A verify of a token that another family gave earlier. */
export function foreignFamilyToken({ initiate, verify }: Purchase): Probe {
  const others = anyFamilies.filter((family) => family.initiateOperation !== initiate.operationId);
  const isForeign = (name: string) =>
    others.some(({ initiateOperation }) => name.startsWith(`${initiateOperation} `));
  const foreignToken: Probe['request'] = (memory) => {
    const name = Object.keys(memory).find(isForeign);
    return name ? { input: { token: memory[name].token } } : 'no other family was asked';
  };
  const name = "refuses another family's token";
  return refusing(verify)(name, foreignToken, 'token_unknown', 'token-unknown');
}

const LIFETIME_MS = 15 * MINUTE_MS;

/** What becomes of a token as time passes; needs a clock that can be moved. */
export function tokenLifetimes(given: Purchase, boundary: 'exclusive' | 'inclusive'): Probe[] {
  const purchase = { ...given, saveAs: `${given.saveAs}_timed` };
  const initiate = (why: string): Probe => ({
    ...initiates(`initiates a purchase ${why}`, purchase, {}),
    needs: 'clock',
  });
  const verify = (name: string, advanceBy: number, more: Partial<Probe> = {}): Probe => {
    const { timed: _timed, ...probe } = verifies(name, purchase, {});
    return { ...probe, needs: 'clock', advanceBy, ...more };
  };
  const used = { refused: 'token_used', assumptions: ['token-used'] } as const;
  const expired = { refused: 'token_expired', assumptions: ['token-expired'] } as const;
  return [
    initiate('to verify late'),
    verify('verifies in the last millisecond of 15 minutes', LIFETIME_MS - 1),
    verify('still knows a used token when its 15 minutes are over', 2, used),
    initiate('to verify when 15 minutes are over'),
    verify('takes the moment 15:00.000 as it is supposed to', LIFETIME_MS, {
      assumptions: ['token-boundary'],
      shows: { assumption: 'token-boundary', ifRefused: 'exclusive', ifAccepted: 'inclusive' },
      refused: boundary === 'exclusive' ? 'token_expired' : undefined,
    }),
    initiate('to let expire'),
    verify('refuses a token that expired', LIFETIME_MS + 1, expired),
    verify('goes on refusing it', 0, expired),
  ];
}
