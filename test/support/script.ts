import { createHash } from 'node:crypto';
import { createRandomState, nextFraction } from '../../src/world/random.ts';
import { BASE, lists, operationOf, operations, requestOf } from './client.ts';
import { exampleOf, familyKeys, initiateOf, namedField, purchaseOf, verifyOf } from './requests.ts';

/*
 * A program that uses everything in a sandbox, the same way every time: purchases, lists, look-ups, mistakes, unknown
 * keys, faults, time. Each step depends on the responses before, so one different byte changes everything after it.
 */

export interface Played {
  /** Status, headers and body of every response, or how it was lost. Real milliseconds of calls are 0. */
  readonly answers: string[];
  readonly sha256: string;
}

type Fetch = (request: Request) => Promise<Response>;

export async function playScript(
  fetch: Fetch,
  key: string,
  length: number,
  seed = 1,
  faults = FAULTS,
): Promise<Played> {
  const chance = createRandomState(seed, 1);
  const upTo = (count: number) => Math.floor(nextFraction(chance) * count);
  const pick = <Item>(items: readonly Item[]) => items[upTo(items.length)] as Item;
  const tokens: string[] = [];
  const policies: string[] = [];
  const answers: string[] = [];

  for (let step = 0; step < length; step++) {
    const request = pick(MOVES)({ key, pick, upTo, faults, tokens, policies });
    const answer = await heard(fetch, request);
    // The one value that depends on the machine.
    answers.push(
      answer
        .replace(/"elapsed_ms":(?:[\d.]+|null)/g, '"elapsed_ms":0')
        .replace(/"received_at":(?:"[^"]*"|null)/g, '"received_at":null'),
    );
    const [, token] = /"token":"(\w+)"/.exec(answer) ?? [];
    if (token !== undefined && !request.url.includes('_sandbox')) tokens.push(token);
    const [, policy] = /"(?:policy_no|policy_number)":"(\w+)"/.exec(answer) ?? [];
    if (policy !== undefined) policies.push(policy);
  }
  return { answers, sha256: createHash('sha256').update(answers.join('\n')).digest('hex') };
}

interface Situation {
  readonly key: string;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly upTo: (count: number) => number;
  readonly faults: readonly string[];
  readonly tokens: readonly string[];
  readonly policies: readonly string[];
}
type Move = (situation: Situation) => Request;

const call = ({ key }: Situation, operationId: string, input: unknown, fault?: string): Request =>
  requestOf(operationOf(operationId), BASE, key, input, { headers: { 'sandbox-fault': fault } });

const controlCall = ({ key }: Situation, method: string, path: string, body?: unknown): Request =>
  new Request(`${BASE}/_sandbox${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Faults that do not break connections. */
export const ANSWERED_FAULTS = ['before; malformed', 'after; respond; status=502', 'nonsense'];

const FAULTS = ['after; drop', 'after; truncate', ...ANSWERED_FAULTS];

const initiate: Move = (at) => {
  const family = at.pick(familyKeys);
  return call(at, initiateOf[family], purchaseOf(family));
};
const verify: Move = (at) =>
  call(at, verifyOf[at.pick(familyKeys)], { token: at.pick(['unknown', ...at.tokens.slice(-6)]) });

/** Looks up or renews a policy, which may not exist in that family. */
const lookUp: Move = (at) => {
  const { operationId } = at.pick(LOOK_UPS);
  const field = namedField(operationId) as string;
  return call(at, operationId, exampleOf(operationId, { [field]: at.pick(['0', ...at.policies]) }));
};
const quote: Move = (at) => {
  const { operationId } = at.pick(QUOTES);
  return call(at, operationId, exampleOf(operationId));
};

const LOOK_UPS = operations.filter(({ errors }) => errors.includes('policy_unknown'));
const QUOTES = operations.filter(
  (each) => each.readOnly && !lists.includes(each) && !LOOK_UPS.includes(each),
);

const MOVES: readonly Move[] = [
  initiate,
  initiate,
  initiate,
  verify,
  verify,
  verify,
  verify,
  (at) => call(at, at.pick(lists).operationId, { page: at.upTo(4) }),
  lookUp,
  lookUp,
  lookUp,
  quote,
  (at) => call(at, at.pick(operations).operationId, { policy_no: '0', amount: -1 }),
  (at) =>
    call(
      at,
      verifyOf[at.pick(familyKeys)],
      { token: at.pick(['x', ...at.tokens]) },
      at.pick(at.faults),
    ),
  (at) => call({ ...at, key: 'nobody' }, 'getMotorQuote', {}),
  (at) =>
    new Request(`${BASE}/api/merchant/nothing`, { headers: { authorization: `Bearer ${at.key}` } }),
  (at) => controlCall(at, 'POST', '/clock/advance', { by: `PT${at.upTo(9)}M` }),
  (at) =>
    controlCall(at, 'POST', '/clock/advance', { by: at.pick(['P1M', 'PT15M', 'PT1S', 'back']) }),
  (at) =>
    controlCall(at, 'GET', at.pick(['/clock', '/faults', '/assumptions', '/journal?limit=3'])),
  (at) =>
    controlCall(at, 'POST', '/faults', {
      stage: 'after',
      effect: { kind: 'respond', status: 500 + at.upTo(20) },
      match: { operation: at.pick(operations).operationId },
      probability: 0.5,
      times: 2,
    }),
];

async function heard(fetch: Fetch, request: Request): Promise<string> {
  try {
    const response = await fetch(request);
    const headers = [...response.headers].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `${response.status} ${JSON.stringify(headers)} ${await heardBody(response)}`;
  } catch (error) {
    return `lost: ${(error as Error).name}`;
  }
}

async function heardBody({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    return `${text} lost: ${(error as Error).name}`;
  }
  return text;
}
