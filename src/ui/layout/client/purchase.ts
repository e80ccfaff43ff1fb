/* The calls of a purchase as pages send them, with one click: a purchase, and one whose response is lost. */

import type { Contract } from '../../inspector/contract.ts';

interface Purchase {
  readonly key: string | undefined;
  readonly initiatePath: string;
  readonly verifyPath: string;
  /** A body that the initiate accepts. */
  readonly sample: object;
  /** Whether the sandbox can lose a response; otherwise a gateway answers in its place. */
  readonly breaksConnections: boolean;
}

/** A purchase of the family with this tag. */
export function purchaseOf(
  { operations, breaksConnections }: Contract,
  tag: string,
  key: string | undefined,
): Purchase {
  const inRole = (wanted: string) =>
    operations.find((operation) => operation.tag === tag && operation.role === wanted);
  const { path = '', sample = {} } = inRole('initiate') ?? {};
  const verifyPath = inRole('verify')?.path ?? '';
  return { key, initiatePath: path, verifyPath, sample, breaksConnections };
}

interface Answer {
  /** The id of the call; undefined if no response arrived. */
  readonly id: string | undefined;
  readonly token?: string | undefined;
}

/** Sends a call, with a fault if one is given. */
export async function sendCall(
  key: string | undefined,
  path: string,
  body: object,
  fault?: string,
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(fault !== undefined && { 'sandbox-fault': fault }),
  };
  try {
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const id = response.headers.get('sandbox-request-id') ?? undefined;
    const { data }: { data?: { token?: string } } = await response.json().catch(() => ({}));
    return { id, token: data?.token };
  } catch {
    return { id: undefined };
  }
}

/** Buys a policy. Returns the id of the last call that was answered. */
export async function buyPolicy(purchase: Purchase): Promise<string | undefined> {
  const { key, initiatePath, verifyPath, sample } = purchase;
  const { id, token } = await sendCall(key, initiatePath, sample);
  return token === undefined ? id : ((await sendCall(key, verifyPath, { token })).id ?? id);
}

/** Buys a policy, loses the response, and tries again. Returns the id of the call that was lost, if its headers arrived. */
export async function loseResponse(purchase: Purchase): Promise<string | undefined> {
  const { key, initiatePath, verifyPath, sample, breaksConnections } = purchase;
  const { id, token } = await sendCall(key, initiatePath, sample);
  if (token === undefined) return id;
  const fault = breaksConnections ? 'after; drop' : 'after; respond; status=502';
  const lost = await sendCall(key, verifyPath, { token }, fault);
  const again = await sendCall(key, verifyPath, { token });
  return lost.id ?? again.id;
}
