/* Calls the sandbox of the page: its control plane and its merchant API. */

import { keyFor } from './store.ts';

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
export async function request(input: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init).catch(() => {
    throw new CallError(0, 'No response');
  });
  if (response.ok) return response;
  const body: { detail?: string; errors?: string[] } = await response.json().catch(() => ({}));
  const { detail = `The response was ${response.status}.`, errors = [] } = body;
  throw new CallError(response.status, detail, errors.length > 1 ? errors : []);
}

/** The headers of a call with a key. No header takes a character beyond Latin-1, so a key with one is refused. */
export const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key.replaceAll(/[^ -\xff]/g, '?')}` };

/** The headers of admin calls. */
export const adminHeaders = () => bearer(secret);

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface Asked {
  readonly method?: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** Those of the chosen merchant by default. */
  readonly headers?: Record<string, string>;
}

/** A call of the control plane: `control<ClockState>('clock')`. */
export async function control<Answer = void>(path: string, asked: Asked = {}): Promise<Answer> {
  const { query = {}, body, headers = bearer(keyFor()) } = asked;
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const response = await request(`/_sandbox/${path}${given.length > 0 ? `?${search}` : ''}`, {
    method: asked.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

const SECRET = 'micro-insurance-sandbox secret';

/** The admin token, or the key of a merchant for access to its World. The tab keeps it, if the browser allows it. */
let secret: string | undefined;
try {
  secret = sessionStorage.getItem(SECRET) ?? undefined;
} catch {
  // Nothing is kept.
}

export const getSecret = (): string | undefined => secret;

export function setSecret(given: string | undefined): void {
  secret = given;
  try {
    if (given === undefined) sessionStorage.removeItem(SECRET);
    else sessionStorage.setItem(SECRET, given);
  } catch {
    // Then only the page has it.
  }
}
