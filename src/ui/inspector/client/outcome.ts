/* Calls the merchant API as a merchant does, and reads in the journal what came of each call. */

import type { JournalEntryJson } from '../../../control-wire.ts';
import { every } from '../../layout/client/browser-time.ts';
import { findEntry, isOf, policyOf, whatRan } from '../../layout/client/lost-call.ts';
import { bearer } from './api.ts';
import { keepSent } from './hidden-values.ts';
import { chosenMerchant, getState } from './store.ts';

export interface CallOutcome {
  /** Undefined if no complete response arrived. */
  readonly response: { readonly status: number; readonly text: string } | undefined;
  /** The id of the call in the journal; undefined if it is not there. */
  readonly id: string | undefined;
  readonly entry: JournalEntryJson | undefined;
}

/** How often the page looks whether a fault keeps a response for ever. */
const HANGING_MS = 500;

/** Calls the merchant API as the chosen merchant, or with another key. A refusal is a normal response. */
export async function callMerchantApi(
  method: string,
  path: string,
  body = '',
  key = chosenMerchant(getState())?.api_key,
): Promise<CallOutcome> {
  const made = { method, path, key };
  const known = new Set((getState().calls ?? []).map(({ id }) => id));
  const giveUp = new AbortController();
  const isHanging = () =>
    getState().calls?.some(
      (call) => call.fault?.effect.kind === 'hang' && isOf(made, call) && !known.has(call.id),
    );
  const stopLooking = every(HANGING_MS, () => {
    if (isHanging()) giveUp.abort();
  });
  let named: string | undefined;
  let response: CallOutcome['response'];
  try {
    const headers = { ...bearer(key), ...(body && { 'content-type': 'application/json' }) };
    const signal = giveUp.signal;
    const sent = await fetch(path, { method, headers, signal, ...(body && { body }) });
    named = sent.headers.get('sandbox-request-id') ?? undefined;
    // A lost response may have a status and headers.
    response = { status: sent.status, text: await sent.text() };
  } catch {
    // The journal tells what the call did.
  }
  stopLooking();
  const isInJournal = named !== undefined || response === undefined;
  const entry = isInJournal ? await findEntry(made, named, known) : undefined;
  const id = named ?? entry?.id;
  keepSent(id, body);
  return { response, id, entry };
}

/** Whether the response arrived as the operation made it, or none did, or a fault made another one. */
const isReplaced = ({ entry }: CallOutcome): boolean =>
  ['respond', 'malformed'].includes(entry?.fault?.effect.kind ?? '');

/**
 * Why a call did not do what it was for, or why its response does not say that it did; empty for a success. The journal
 * tells, because bodies and statuses differ by profile.
 *
 * @param aim what the call would have done to the policy
 */
export function problemsOf(outcome: CallOutcome, aim: 'bought' | 'renewed'): readonly string[] {
  const { response, entry } = outcome;
  const messages = entry?.problems.map(({ message }) => message) ?? [];
  if (response && !isReplaced(outcome)) {
    if (messages.length > 0) return messages;
    return response.status < 400 ? [] : [`The response was ${response.status}.`];
  }
  const whatArrived = response ? `A fault returned ${replaced(outcome)}.` : NO_RESPONSE;
  if (!entry) return [`${whatArrived} Is the sandbox running?`];
  const isDone = policyOf(entry) !== undefined;
  return [`${whatArrived} ${isDone ? whatRan(entry) : `The policy was not ${aim}.`}`, ...messages];
}

const replaced = ({ response, entry }: CallOutcome): string =>
  entry?.fault?.effect.kind === 'malformed' ? 'broken JSON' : String(response?.status);

const NO_RESPONSE = 'No response arrived.';

/** What to say of any call that was sent. */
export function arrivalText({ response, entry }: CallOutcome): string {
  if (response) return `The response was ${response.status}.`;
  return entry ? `${NO_RESPONSE} ${whatRan(entry)}` : `${NO_RESPONSE} Is the sandbox running?`;
}
