import { type ClientResponse, hc } from 'hono/client';
import type { ControlApp } from '../../../control/app.ts';
import { chosenMerchant, getState } from './store.ts';

/* Calls to the sandbox of the page. */

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

/** `fetch`, except that a lost connection is a `CallError`. */
const send = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
  fetch(input, init).catch((error: Error) => {
    throw new CallError(0, `No response: ${error.message}`);
  });

/** `fetch`, except that a refusal and a lost connection are `CallError`s. */
export async function request(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await send(input, init);
  if (response.ok) return response;
  const body: { detail?: string; errors?: string[] } = await response.json().catch(() => ({}));
  const { detail = `The response was ${response.status}.`, errors = [] } = body;
  throw new CallError(response.status, detail, errors.length > 1 ? errors : []);
}

const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };

/** The headers of calls for the chosen merchant, and of admin calls. */
export const merchantHeaders = () => bearer(chosenMerchant(getState())?.api_key);
export const adminHeaders = () => bearer(token);

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

/** Calls the merchant API as the chosen merchant. A refusal is a normal response. */
export const callMerchantApi = (method: string, path: string, body = ''): Promise<Response> => {
  const headers = { ...merchantHeaders(), ...(body && { 'content-type': 'application/json' }) };
  return send(path, { method, headers, ...(body && { body }) });
};

const TOKEN = 'micro-insurance-sandbox admin token';
let token = readToken();

/** The tab keeps the admin token, if the browser allows it. */
function readToken(): string | undefined {
  try {
    return sessionStorage.getItem(TOKEN) ?? undefined;
  } catch {
    return undefined;
  }
}

export function setToken(given: string): void {
  token = given;
  try {
    sessionStorage.setItem(TOKEN, given);
  } catch {
    // Then the page keeps it until it closes.
  }
}

export const hasToken = (): boolean => token !== undefined;
