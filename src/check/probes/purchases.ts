import { trimTexts } from '../../http/body.ts';
import { anyFamilies } from '../../products/world.ts';
import { type Assertion, equals, type Json, matches, writtenNow } from '../assertions.ts';
import { parseInput, unassignedInput } from '../contract.ts';
import type { Memory, Observation, Probe, Purchase } from '../probe.ts';
import { refusing, refusingInput, requiresAll } from './refusals.ts';

/*
 * Whom the check buys for: nobody who could be there. Every name says where it comes from, so that nobody takes
 * the records for those of a customer either.
 */

export const FIRST_NAME = 'Contract';
export const SURNAME = 'Sandbox Check';
/** Eleven digits that no network has: mobile numbers begin with 070, 080, 081, 090 and 091. */
export const PHONE = '09990000000';
export const SECOND_PHONE = '09990000001';
/** Eleven digits that nobody is identified by. */
export const IDENTITY_NUMBER = 99_999_999_999;
/** An address may have several lines. */
export const ADDRESS = 'Sandbox Check,\nno street';
/** Where its images stand. */
export const FILE = 'https://example.com/sandbox-check';

export const emailOf = ({ run }: Memory): string => `sandbox-check-${run}@example.com`;

type Expectations = Pick<Probe, 'assumptions' | 'assertions' | 'observe'>;

/** What initiate answered to a purchase. */
export const initiated = (memory: Memory, purchase: Purchase): Json =>
  memory[initiatedName(purchase)];

/** What initiate reads from the request of a purchase. */
export function parsedPurchase(memory: Memory, { initiate, request }: Purchase): Json {
  const sent = request(memory);
  if (typeof sent === 'string') return {};
  const trims = memory.settings.textTrim === 'trim';
  return parseInput(initiate, trims ? trimTexts(sent.input) : sent.input);
}

/** A text with white space around it, which shows whether that is kept. */
export const padded = (text: string): string => ` ${text} `;

/** A field of the request of a purchase, as it was sent. */
export function sentIn(memory: Memory, { request }: Purchase, field: string): unknown {
  const sent = request(memory);
  return typeof sent === 'string' ? undefined : sent.input?.[field];
}

/** What became of a text that was sent with white space around it; nothing of any other. */
export function observeTrim(sent: unknown, seen: unknown): Observation[] {
  if (typeof sent !== 'string' || sent === sent.trim()) return [];
  if (seen === sent) return [{ assumption: 'text-trim', value: 'keep' }];
  return seen === sent.trim() ? [{ assumption: 'text-trim', value: 'trim' }] : [];
}

export const initiatedName = ({
  initiate,
  saveAs,
}: Pick<Purchase, 'initiate' | 'saveAs'>): string => `${initiate.operationId} ${saveAs}`;

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
  ...writtenNow('created_at', between, 'time-zone', ...dates),
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
