/* Calls the sandbox of the page: its control plane, with types. */

import { type ClientResponse, hc } from 'hono/client';
import type { ControlApp } from '../../../control/app.ts';
import { chosenMerchant, getState } from './store.ts';

/** A call that was refused or got no response. */
export class CallError extends Error {
  /** 0 without a response. */
  readonly status: number;
  /** Every place, if there are several. */
  readonly places: readonly string[];
  constructor(status: number, message: string, places: readonly string[] = []) {
    super(message);
    this.status = status;
    this.places = places;
  }
}

/** `fetch`, except that a refusal and a lost connection are `CallError`s. */
export async function request(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init).catch(() => {
    throw new CallError(0, 'No response');
  });
  if (response.ok) return response;
  const body: { detail?: string; errors?: string[] } = await response.json().catch(() => ({}));
  const { detail = `The response was ${response.status}.`, errors = [] } = body;
  throw new CallError(response.status, detail, errors.length > 1 ? errors : []);
}

/** The headers of a call with a key. */
export const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };

/** The headers of calls for the chosen merchant, and of admin calls. */
export const merchantHeaders = () => bearer(chosenMerchant(getState())?.api_key);
export const adminHeaders = () => bearer(adminToken.get());

/** The control plane, for the chosen merchant and for admin calls. */
export const { _sandbox: control } = hc<ControlApp>('/', {
  headers: merchantHeaders,
  fetch: request,
});
export const { _sandbox: admin } = hc<ControlApp>('/', { headers: adminHeaders, fetch: request });

type Sent = ClientResponse<unknown, number, string>;
type Body<R extends Sent> = Awaited<ReturnType<Extract<R, { ok: true }>['json']>>;

/** The body of a success. */
export async function answerOf<R extends Sent>(sent: Promise<R>): Promise<Body<R>> {
  const response = await sent;
  return (response.status === 204 ? undefined : await response.json()) as Body<R>;
}

/** A secret that the tab keeps, if the browser allows it. Otherwise the page keeps it until it closes. */
function createSecret(name: string) {
  let held: string | undefined;
  try {
    held = sessionStorage.getItem(name) ?? undefined;
  } catch {
    // Nothing is kept.
  }
  return {
    get: () => held,
    set(given: string | undefined): void {
      held = given;
      try {
        if (given === undefined) sessionStorage.removeItem(name);
        else sessionStorage.setItem(name, given);
      } catch {
        // Then only the page has it.
      }
    },
  };
}

export const adminToken = createSecret('micro-insurance-sandbox admin token');
/** The key of a merchant, for access to its World only. */
export const merchantKey = createSecret('micro-insurance-sandbox merchant key');
