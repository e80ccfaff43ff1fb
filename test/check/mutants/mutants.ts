import type { Operation } from '../../../src/api/operation.ts';
import { createSandbox } from '../../../src/index.ts';
import type { Fetch } from '../../../src/tools/check/send.ts';
import { operationOf, operations } from '../../support/client.ts';
import { verifyOf } from '../../support/requests.ts';
import { KEY, withHeader } from '../support.ts';
import { altered, changeAt, type Json, pathOf, placesOf, retyped } from './mutate.ts';

/** A response of the sandbox that can still be changed. */
interface Answer {
  status: number;
  readonly headers: Headers;
  body: Json;
}
type Change = (answer: Answer) => unknown;
type Hear = (request: Request) => Request | Promise<Request>;

/** A sandbox with one change, in the responses to an operation. */
export interface Mutant {
  readonly operationId: string;
  readonly name: string;
  /** Changes a request. */
  readonly hear?: Hear;
  /** Changes a response to the operation. */
  readonly change?: Change;
}

/** Every mutant, always in the same order. */
export const mutants = (): Mutant[] =>
  [
    ...operations.flatMap((operation) => [
      ...ofFields(operation),
      ...ofEnvelopes(operation),
      ...ofConduct(operation),
    ]),
    ...ofClocks(),
    ...ofRounding(),
  ].map((mutant) => ({ ...mutant, name: `${mutant.operationId}: ${mutant.name}` }));

const onSuccess =
  (change: (body: Json) => unknown): Change =>
  ({ body }) =>
    body?.success === true && change(body);
const onFailure =
  (change: (body: Json) => unknown): Change =>
  ({ body }) =>
    body?.success === false && change(body);

/** The form of a success: renames, removes and retypes each field, and changes each value. */
function ofFields({ operationId, success }: Operation): Mutant[] {
  const places = placesOf(success).filter(({ keys }) => keys.length > 0);
  return places.flatMap(({ keys, kind }, turn) => {
    const path = pathOf(keys);
    const made = (how: string, change: (parent: Json, key: string) => unknown): Mutant => ({
      operationId,
      name: `${path} ${how}`,
      change: onSuccess((body) => changeAt(body, keys, change)),
    });
    if (kind === 'object') {
      const gain = (parent: Json, key: string) =>
        Object.assign(parent[key] ?? {}, { unheard_of: 1 });
      return [made('gains a field', gain)];
    }
    const drop = (parent: Json, key: string) => delete parent[key];
    const set = (value: (before: Json) => unknown) => (parent: Json, key: string) =>
      Object.assign(parent, { [key]: value(parent[key]) });
    const rename = (parent: Json, key: string) => {
      parent[`${key}_`] = parent[key];
      drop(parent, key);
    };
    const forms = [made('dropped', drop), made('renamed', rename), made('retyped', set(retyped))];
    return [forms[turn % 3] as Mutant, ...(keys.length > 1 ? [made('altered', set(altered))] : [])];
  });
}

/** The envelopes of successes and failures. */
function ofEnvelopes({
  operationId,
  envelope: { messageKey },
  method,
  errors,
}: Operation): Mutant[] {
  const made = (name: string, change: Change) => ({ operationId, name, change });
  const otherStatus = (name: string, from: number, to: number) =>
    made(name, (answer) => {
      if (answer.status === from) answer.status = to;
    });
  const otherKey = messageKey === 'message' ? 'response_message' : 'message';
  const swap = (body: Json) => {
    body[otherKey] = body[messageKey];
    delete body[messageKey];
  };
  const ofPost = method === 'post' ? [415, 400] : [];
  const ofRules = [
    ...(errors.includes('invalid') ? [422] : []),
    ...(errors.includes('policy_unknown') ? [404] : []),
  ];
  const successes: readonly [string, (body: Json) => unknown][] = [
    ['another success message', (body) => Object.assign(body, { [messageKey]: 'Done' })],
    ['message key of successes swapped', swap],
    ['success false on success', (body) => Object.assign(body, { success: false })],
  ];
  const failures: readonly [string, (body: Json) => unknown][] = [
    ['message key of failures swapped', swap],
    ['failures without response_code', (body) => delete body.response_code],
    [
      'response_code of failures retyped',
      (body) => Object.assign(body, { response_code: retyped(body.response_code) }),
    ],
    [
      'failures with one text for an error list',
      ({ data }) => Object.assign(data, { error: data.error[0] }),
    ],
    ['failures without data', (body) => delete body.data],
  ];
  const without = (name: string) => (answer: Answer) => answer.headers.delete(name);
  return [
    ...successes.map(([name, change]) => made(name, onSuccess(change))),
    ...failures.map(([name, change]) => made(name, onFailure(change))),
    otherStatus('success with status 201', 200, 201),
    ...[401, 405, ...ofPost, ...ofRules].map((status) =>
      otherStatus(`${status} answered as ${status + 2}`, status, status + 2),
    ),
    made('401 without a challenge', without('www-authenticate')),
    made('405 without Allow', without('allow')),
  ];
}

/** Whether a request is one of an operation. */
const isOf = (operationId: string, { url }: Request): boolean => {
  const pattern = operationOf(operationId).path.replace(/:\w+/g, '[^/]+');
  return new RegExp(`${pattern}$`).test(new URL(url).pathname);
};

/** Requests that are read as others. */
function ofConduct({ operationId, method }: Operation): Mutant[] {
  const hearing =
    (name: string, value: string): Hear =>
    (request) =>
      isOf(operationId, request) ? withHeader(request, name, value) : request;
  const asOne = hearing('authorization', `Bearer ${KEY}`);
  const asJson = hearing('content-type', 'application/json');
  let verified: Json;
  const repeat: Change = (answer) => {
    const { success, message, response_message } = answer.body;
    if (success) verified = answer.body;
    else if (/already been used/.test(message ?? response_message)) {
      Object.assign(answer, { status: 200, body: verified });
    }
  };
  return [
    { operationId, name: 'asks for no key', hear: asOne },
    ...(method === 'post' ? [{ operationId, name: 'takes any type of body', hear: asJson }] : []),
    ...(operationId.startsWith('verify')
      ? [{ operationId, name: 'answers a second verify as the first', change: repeat }]
      : []),
  ];
}

/** Clocks that move too far or not far enough. */
function ofClocks(): Mutant[] {
  const later =
    (ms: number): Hear =>
    async (request) => {
      if (!request.url.endsWith('/clock/advance')) return request;
      const { to } = await request.json();
      const body = JSON.stringify({ to: new Date(Date.parse(to) + ms).toISOString() });
      return new Request(request.url, { method: 'POST', headers: request.headers, body });
    };
  return Object.values(verifyOf).flatMap((operationId) =>
    [-60_000, -1000, -1, 2, 1000, 60_000].map((ms) => ({
      operationId,
      name: `tokens live ${-ms} ms longer`,
      hear: later(ms),
    })),
  );
}

/** Amounts with another rounding. */
function ofRounding(): Mutant[] {
  const all: readonly [string, string, (value: number) => number][] = [
    ['getMotorQuote', 'premium', Math.round],
    ['getMotorQuote', 'premium', (value) => Math.floor(value * 10) / 10],
    ['getMotorQuote', 'premium', (value) => (value === 50.01 ? 50 : value)],
    ['getMicroHealthQuote', 'quote_price', (value) => Math.ceil(value / 1000) * 1000],
  ];
  return all.map(([operationId, field, round]) => ({
    operationId,
    name: `$.data.${field} rounded otherwise`,
    change: onSuccess(({ data }) => Object.assign(data, { [field]: round(data[field]) })),
  }));
}

/**
 * The sandbox of a mutant.
 *
 * @param changed called when it behaves differently
 */
export function serve({ operationId, hear, change }: Mutant, changed: () => void): Fetch {
  const sandbox = createSandbox({ now: '2026-01-31T10:00:00.250Z', clock: 'frozen', seed: 7 });
  if (!change) changed();
  return async (request) => {
    const original = await sandbox.fetch(hear ? await hear(request) : request);
    if (!change || !isOf(operationId, request)) return original;
    const text = await original.text();
    const { status, headers } = original;
    const answer: Answer = { status, headers: new Headers(headers), body: JSON.parse(text) };
    change(answer);
    const body = JSON.stringify(answer.body);
    const hasLostHeader = [...answer.headers].length < [...headers].length;
    if (body !== text || answer.status !== status || hasLostHeader) changed();
    return new Response(body, { status: answer.status, headers: answer.headers });
  };
}
