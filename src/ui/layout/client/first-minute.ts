/* The two stories that pages start with one click: a purchase, and one whose response is lost. */

interface Purchase {
  readonly key: string;
  readonly initiatePath: string;
  readonly verifyPath: string;
  /** A body that the initiate accepts. */
  readonly sample: object;
  /** Whether the sandbox can lose a response; otherwise a gateway answers in its place. */
  readonly breaksConnections: boolean;
}

interface Answer {
  readonly id: string | undefined;
  readonly token: string | undefined;
}

async function call(path: string, key: string, body: object, fault?: string): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(fault !== undefined && { 'sandbox-fault': fault }),
  };
  try {
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const id = response.headers.get('sandbox-request-id') ?? undefined;
    const { data }: { data?: { token?: string } } = await response.json();
    return { id, token: data?.token };
  } catch {
    // The response was lost, or is no JSON.
    return { id: undefined, token: undefined };
  }
}

/** Buys a policy. Returns the id of the last call; undefined if the sandbox is away. */
export async function buyPolicy(purchase: Purchase): Promise<string | undefined> {
  const { key, initiatePath, verifyPath, sample } = purchase;
  const { id, token } = await call(initiatePath, key, sample);
  return token === undefined ? id : (await call(verifyPath, key, { token })).id;
}

/** Buys a policy, loses the response, and tries again. Returns the id of the call that was lost. */
export async function loseResponse(purchase: Purchase): Promise<string | undefined> {
  const { key, initiatePath, verifyPath, sample, breaksConnections } = purchase;
  const { id, token } = await call(initiatePath, key, sample);
  if (token === undefined) return id;
  const lost = breaksConnections ? 'after; drop' : 'after; respond; status=502';
  const first = await call(verifyPath, key, { token }, lost);
  const second = await call(verifyPath, key, { token });
  return first.id ?? (await lostCall(key)) ?? second.id;
}

/** The id of the newest call that has a fault. */
async function lostCall(key: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch('/_sandbox/journal?limit=5', { headers });
  const { data }: { data: { id: string; fault?: object | null }[] } = await response.json();
  return data.find(({ fault }) => fault)?.id;
}
