import { type ClientResponse, hc } from 'hono/client';
import type { ControlApp } from '../../../control/app.ts';

/** The control plane of the sandbox that shows the page. */
export const { _sandbox: control } = hc<ControlApp>(location.origin);

/** A call that was refused, or did not arrive. */
export class CallError extends Error {
  readonly status: number;
  /** Every place that is named, if there is more than one. */
  readonly places: readonly string[];
  constructor(status: number, message: string, places: readonly string[] = []) {
    super(message);
    this.status = status;
    this.places = places;
  }
}

type Sent = ClientResponse<unknown, number, string>;
type Body<R extends Sent> = Awaited<ReturnType<Extract<R, { ok: true }>['json']>>;

/** The body of a success. Throws `CallError` otherwise. */
export async function answerOf<R extends Sent>(sent: Promise<R>): Promise<Body<R>> {
  const response = await arrived(sent);
  if (!response.ok) throw await refusalOf(response as unknown as Response);
  return (response.status === 204 ? undefined : await response.json()) as Body<R>;
}

/** A response, whatever it says. Throws `CallError` where none came. */
export async function arrived<R>(sent: Promise<R>): Promise<R> {
  try {
    return await sent;
  } catch (error) {
    throw new CallError(0, `No answer came: ${(error as Error).message}`);
  }
}

export async function refusalOf(response: Response): Promise<CallError> {
  const body: { detail?: string; errors?: string[] } = await response.json().catch(() => ({}));
  const { detail = `The answer was ${response.status}.`, errors = [] } = body;
  return new CallError(response.status, detail, errors.length > 1 ? errors : []);
}

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

const TOKEN = 'micro-insurance-sandbox admin token';
let token = readToken();

/** Kept for this tab alone, and nowhere if the browser keeps nothing. */
function readToken(): string | undefined {
  try {
    return sessionStorage.getItem(TOKEN) ?? undefined;
  } catch {
    return undefined;
  }
}

export function setToken(given: string | undefined): void {
  token = given;
  try {
    if (given === undefined) sessionStorage.removeItem(TOKEN);
    else sessionStorage.setItem(TOKEN, given);
  } catch {
    // It is known until the page is left.
  }
}

export const hasToken = (): boolean => token !== undefined;

/** How a call over the whole sandbox is made. */
export const asAdmin = (): { headers: Record<string, string> } =>
  token === undefined ? { headers: {} } : bearer(token);

/** How a call over one World is made. */
export const asMerchant = ({ api_key }: { readonly api_key: string }) => bearer(api_key);

export type FaultRule = Body<Awaited<ReturnType<typeof control.faults.$get>>>['data'][number];
export type NewFaultRule = Parameters<typeof control.faults.$post>[0]['json'];
export type Assumption = Body<Awaited<ReturnType<typeof control.assumptions.$get>>>['data'][number];
export type AdvancedClock = Body<Awaited<ReturnType<typeof control.clock.advance.$post>>>;
export type Effect = AdvancedClock['effects'][number];
