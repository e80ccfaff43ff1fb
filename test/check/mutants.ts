import type { Fetch } from '../../src/check/connection.ts';
import { successSchema } from '../../src/http/answer-schemas.ts';
import type { Operation } from '../../src/http/operation.ts';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import { anyFamilies } from '../../src/products/world.ts';
import { altered, changeAt, changing, type Exchange, pathOf, placesOf, retyped } from './mutate.ts';

/** A sandbox with one thing changed, and where a check has to see it. */
export interface Mutant {
  readonly name: string;
  readonly family: string;
  readonly operation: string;
  /** One of these, positions left open. */
  readonly paths: readonly string[];
  /** @param changed called when it first does otherwise; one that never does is no mutant */
  serve(changed: () => void): Fetch;
}

const OPTIONS: SandboxOptions = {
  now: '2026-01-31T10:00:00.250Z',
  clock: 'frozen',
  seed: 7,
};

const plain = (): Fetch => {
  const sandbox = createSandbox(OPTIONS);
  return (request) => sandbox.fetch(request);
};

type Change = (exchange: Exchange) => void;

const onSuccess =
  (change: (body: Exchange['body']) => void): Change =>
  ({ body }) => {
    if (body?.success === true) change(body);
  };
const onFailure =
  (change: Change): Change =>
  (exchange) => {
    if (exchange.body?.success === false) change(exchange);
  };

const operations = anyFamilies.flatMap((family) =>
  family.operations.map((operation) => ({ family: family.key, operation })),
);

/** Every mutant, always the same ones in the same order. */
export const mutants = (): Mutant[] => [
  ...operations.flatMap(({ family, operation }) => {
    const made = (name: string, paths: readonly string[], change: Change): Mutant => ({
      name: `${operation.operationId}: ${name}`,
      family,
      operation: operation.operationId,
      paths,
      serve: (changed) => changing(plain(), operation, change, changed),
    });
    return [
      ...ofFields(operation, made),
      ...ofEnvelopes(operation, made),
      ...ofConduct(operation, family),
    ];
  }),
  ...ofProfiles(),
  ...ofClocks(),
];

type Make = (name: string, paths: readonly string[], change: Change) => Mutant;

/** The form of a success: each field loses its name, its place or its type in turn, and each value is altered. */
function ofFields(operation: Operation, made: Make): Mutant[] {
  const places = placesOf(successSchema(operation)).filter(({ keys }) => keys.length > 0);
  return places.flatMap(({ keys, kind }, n) => {
    const path = pathOf(keys);
    const changed = (change: (parent: Exchange['body'], key: string) => void) =>
      onSuccess((body) => changeAt(body, keys, change));
    if (kind === 'object') {
      return [
        made(
          `${path} gains a field`,
          [`${path}.unheard_of`],
          changed((parent, key) => {
            if (parent[key]) parent[key].unheard_of = 1;
          }),
        ),
      ];
    }
    const alteredAt = [
      path,
      ...ASTRAY.filter(([place]) => path.endsWith(place)).map(([, seen]) => seen),
    ];
    const inform = [
      made(
        `${path} dropped`,
        [path],
        changed((parent, key) => delete parent[key]),
      ),
      made(
        `${path} renamed`,
        [path],
        changed((parent, key) => {
          parent[`${key}_`] = parent[key];
          delete parent[key];
        }),
      ),
      made(
        `${path} retyped`,
        [path],
        changed((parent, key) => {
          parent[key] = retyped(parent[key]);
        }),
      ),
    ];
    const value = made(
      `${path} altered`,
      alteredAt,
      changed((parent, key) => {
        parent[key] = altered(parent[key]);
      }),
    );
    return [inform[n % 3] as Mutant, ...(keys.length > 1 ? [value] : [])];
  });
}

/** Altered values that show beside their place: a record under another number is missing, a sum is wrong. */
const ASTRAY: readonly (readonly [string, string])[] = [
  ['$.data.data[].policy_no', '$.data.data'],
  ['$.data.data[].policy_number', '$.data.data'],
  ['$.data[].policy_number', '$.data'],
  ['_commission', '$.data.data[].transactions[].total_commission'],
];

/** What stands around the data, of successes and of failures. */
function ofEnvelopes(operation: Operation, made: Make): Mutant[] {
  const { messageKey } = operation.envelope;
  const otherKey = messageKey === 'message' ? 'response_message' : 'message';
  const swap: Change = ({ body }) => {
    body[otherKey] = body[messageKey];
    delete body[messageKey];
  };
  const say = `$.${messageKey}`;
  return [
    made('success with status 201', ['status'], (exchange) => {
      if (exchange.status === 200) exchange.status = 201;
    }),
    made(
      'another success message',
      [say],
      onSuccess((body) => {
        body[messageKey] = 'Done';
      }),
    ),
    made('message key of successes swapped', [say], (exchange) => {
      if (exchange.body.success === true) swap(exchange);
    }),
    made('message key of failures swapped', [say], onFailure(swap)),
    made(
      'success false on success',
      ['$.success'],
      onSuccess((body) => {
        body.success = false;
      }),
    ),
    made(
      'failures without response_code',
      ['$.response_code'],
      onFailure(({ body }) => delete body.response_code),
    ),
    made(
      'response_code of failures retyped',
      ['$.response_code'],
      onFailure(({ body }) => {
        body.response_code = retyped(body.response_code);
      }),
    ),
    made(
      'failures with one text for an error list',
      ['$.data.error'],
      onFailure(({ body }) => {
        body.data.error = body.data.error[0];
      }),
    ),
    made(
      'failures without data',
      ['$.data'],
      onFailure(({ body }) => delete body.data),
    ),
    ...[401, 405, 415, 422, 400, 404]
      .map((status) =>
        made(`${status} answered as ${status + 2}`, ['status'], (exchange) => {
          if (exchange.status === status) exchange.status = status + 2;
        }),
      )
      .filter((_mutant, n) => meets(operation, n)),
    made('401 without a challenge', ['header www-authenticate'], ({ headers }) =>
      headers.delete('www-authenticate'),
    ),
    made('405 without Allow', ['header allow'], ({ headers }) => headers.delete('allow')),
  ];
}

/** Whether an operation ever answers the n-th of those statuses. */
function meets({ method, refusals }: Operation, n: number): boolean {
  if (n < 2) return true;
  if (n === 2 || n === 4) return method === 'post';
  return n === 3 ? refusals.includes('invalid') : refusals.includes('policy_unknown');
}

/** Requests that are understood as others. */
function ofConduct(operation: Operation, family: string): Mutant[] {
  const { operationId, method } = operation;
  const pattern = new RegExp(`${operation.path.replace(/:\w+/g, '[^/]+')}$`);
  const hearing = (
    name: string,
    paths: string[],
    hear: (request: Request) => Request | Promise<Request>,
  ): Mutant => ({
    name: `${operationId}: ${name}`,
    family,
    operation: operationId,
    paths,
    serve: (changed) => {
      const fetch = plain();
      changed();
      return async (request) =>
        fetch(pattern.test(new URL(request.url).pathname) ? await hear(request) : request);
    },
  });
  const withHeader = (name: string, value: string) => (request: Request) => {
    const headers = new Headers(request.headers);
    headers.set(name, value);
    return new Request(request, { headers });
  };
  const replays = new Map<string, Promise<Response>>();
  return [
    hearing(
      'asks for no key',
      ['$.success', 'status'],
      withHeader('authorization', 'Bearer sk_sandbox_demo'),
    ),
    ...(method === 'post'
      ? [
          hearing(
            'takes any type of body',
            ['$.success', 'status'],
            withHeader('content-type', 'application/json'),
          ),
        ]
      : []),
    ...(/^verify/.test(operationId)
      ? [
          {
            name: `${operationId}: answers a second verify as the first`,
            family,
            operation: operationId,
            paths: ['$.success'],
            serve: (changed: () => void): Fetch => {
              const fetch = plain();
              changed();
              replays.clear();
              return async (request) => {
                if (!pattern.test(new URL(request.url).pathname)) return fetch(request);
                const sent = await request.clone().text();
                const before = replays.get(sent);
                if (before) return (await before).clone();
                const answer = fetch(request);
                if ((await answer).status === 200) replays.set(sent, answer);
                return (await answer).clone();
              };
            },
          },
        ]
      : []),
  ];
}

/** Sandboxes that take a decision otherwise. */
function ofProfiles(): Mutant[] {
  const profiled = (
    family: string,
    operation: string,
    paths: string[],
    decisions: Record<string, unknown>,
  ): Mutant => ({
    name: `${operation}: ${JSON.stringify(decisions)}`,
    family,
    operation,
    paths,
    serve: (changed) => {
      changed();
      const sandbox = createSandbox({ ...OPTIONS, profile: { version: 1, decisions } });
      return (request) => sandbox.fetch(request);
    },
  });
  const [health, motor, group] = ['micro_health', 'motor', 'group_life'] as const;
  const list = 'listMicroHealthSubscriptions';
  const lists = [
    [health, list, '$.data.data'],
    [motor, 'listMotorPolicies', '$.data'],
    [group, 'listGroupLifePolicies', '$.data.data'],
  ] as const;
  const verifies = [
    [health, 'verifyMicroHealthSubscription', '$.message'],
    [motor, 'verifyMotorPolicy', '$.response_message'],
    [group, 'verifyGroupLifePolicy', '$.response_message'],
  ] as const;
  return [
    ...[10, 14, 16, 20].map((per_page) =>
      profiled(health, list, ['$.data.per_page'], { 'list-selection': { per_page } }),
    ),
    profiled(group, 'listGroupLifePolicies', ['$.data.per_page'], {
      'list-selection': { per_page: 5 },
    }),
    ...lists.map(([family, operation, path]) =>
      profiled(family, operation, [path], { 'list-order': 'newest-first' }),
    ),
    profiled(health, list, ['$.data.data[].subscriptions'], { 'subscriptions-key': 'array' }),
    profiled(health, 'initiateMicroHealthSubscription', ['$.success'], {
      'amount-check': 'ignore',
    }),
    profiled(health, 'topUpMicroHealthSubscription', ['$.success'], { 'amount-check': 'ignore' }),
    ...verifies.flatMap(([family, operation, path]) => [
      profiled(family, operation, ['$.success'], { 'token-boundary': 'inclusive' }),
      ...['token-expired', 'token-unknown', 'token-used', 'auth-failure'].map((decision) =>
        profiled(family, operation, [path], { [decision]: { message: 'No.' } }),
      ),
      ...['token_expired', 'token_unknown', 'token_used'].map((code) =>
        profiled(family, operation, ['status'], { 'http-status': { [code]: 404 } }),
      ),
      ...['string', 'integer']
        .map((type) =>
          profiled(family, operation, ['$.response_code'], { 'error-code-type': type }),
        )
        .filter(({ name }) => name.includes(family === group ? 'string' : 'integer')),
    ]),
    profiled(health, 'unknownRoute', ['status'], { 'http-status': { route_unknown: 400 } }),
    profiled(health, 'getMicroHealthQuote', ['status'], { 'http-status': { too_large: 400 } }),
  ];
}

/** Clocks that do not go as they say, and amounts that are rounded otherwise. */
function ofClocks(): Mutant[] {
  const verifies = operations.filter(({ operation }) => /^verify/.test(operation.operationId));
  const clocks = verifies.flatMap(({ family, operation }) =>
    [-60_000, -1000, -1, 2, 1000, 60_000].map(
      (ms): Mutant => ({
        name: `${operation.operationId}: tokens live ${-ms} ms longer`,
        family,
        operation: operation.operationId,
        paths: ['$.success'],
        serve: (changed) => {
          changed();
          return lying(ms);
        },
      }),
    ),
  );
  const rounding = (
    operationId: string,
    path: string,
    field: string,
    round: (value: number) => number,
  ): Mutant => {
    const { family, operation } = operations.find(
      (each) => each.operation.operationId === operationId,
    ) as (typeof operations)[number];
    return {
      name: `${operationId}: ${path} rounded otherwise`,
      family,
      operation: operationId,
      paths: [path],
      serve: (changed) =>
        changing(
          plain(),
          operation,
          onSuccess(({ data }) => {
            data[field] = round(data[field]);
          }),
          changed,
        ),
    };
  };
  return [
    ...clocks,
    rounding('getMotorQuote', '$.data.premium', 'premium', Math.round),
    rounding('getMotorQuote', '$.data.premium', 'premium', (value) => Math.floor(value * 10) / 10),
    rounding('getMotorQuote', '$.data.premium', 'premium', (value) => value * 1.01),
    rounding('getMotorQuote', '$.data.premium', 'premium', (value) =>
      value === 50.01 ? 50 : value,
    ),
    rounding(
      'getMicroHealthQuote',
      '$.data.quote_price',
      'quote_price',
      (value) => Math.ceil(value / 1000) * 1000,
    ),
  ];
}

/** A sandbox whose clock moves on further, or less far, than it is told. */
function lying(ms: number): Fetch {
  const fetch = plain();
  return async (request) => {
    if (!request.url.endsWith('/clock/advance')) return fetch(request);
    const { to } = await request.json();
    const shifted = new Date(Date.parse(to) + ms).toISOString();
    const answer = await fetch(
      new Request(request.url, {
        method: 'POST',
        headers: request.headers,
        body: JSON.stringify({ to: shifted }),
      }),
    );
    return answer;
  };
}
