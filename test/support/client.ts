import { z } from '@hono/zod-openapi';
import { expect } from 'vitest';
import type { Connection } from '../../src/api/context.ts';
import { unknownRouteEnvelope } from '../../src/api/envelope.ts';
import { failureForms } from '../../src/api/failures.ts';
import type { Operation } from '../../src/api/operation.ts';
import { ERROR_ENVELOPE, HTTP_STATUS } from '../../src/api/refusals.ts';
import { applyProfile } from '../../src/control/profile.ts';
import type {
  AdvancedClock,
  Merchant,
  MerchantClock,
  MerchantState,
  Sandbox,
  SandboxOptions,
  Snapshot,
} from '../../src/index.ts';
import { createFamilies, type ServedFamilies } from '../../src/products/index.ts';
import { publishedFamilies } from '../../src/products/world.ts';
import { type OpenSandbox, openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { SERVED_TOOLS } from '../../src/tools/served.ts';
import type { ErrorCode } from '../../src/world/errors.ts';
import { PUBLISHED, type Settings } from '../../src/world/settings.ts';
import { expectKeyOrder } from './key-order.ts';
import { withoutHistory } from './snapshots.ts';

export const operations: readonly Operation[] = publishedFamilies.operations;

/** The operations that return a list: a plain array or a page. */
export const lists = operations.filter(({ success }) => {
  const { data } = success.shape;
  return (
    data instanceof z.ZodArray || (data instanceof z.ZodObject && 'current_page' in data.shape)
  );
});

export function operationOf(operationId: string): Operation {
  const operation = operations.find((each) => each.operationId === operationId);
  if (!operation) throw new Error(`There is no operation ${operationId}`);
  return operation;
}

/** The default time of a test's frozen clock. */
export const START = '2026-01-31T10:00:00Z';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests access responses freely; their form is checked
  readonly body: any;
}

/** Calls a sandbox as a merchant's program would. */
export interface Caller {
  /** Calls an operation: a body for a POST, query or path fields for a GET. */
  call(operationId: string, input?: unknown, init?: CallInit): Promise<Answer>;
}

/** A merchant of a new sandbox. */
export interface Client extends Caller {
  readonly sandbox: Sandbox;
  readonly merchant: Merchant;
  /** The same client with another key. */
  as(merchant: Merchant): Client;
}

/** A merchant of a sandbox that may be in another process, so its methods are asynchronous. */
export interface JourneyClient extends Caller {
  readonly merchant: {
    readonly id: number;
    readonly clock: { advance(by: Jump): AdvancedClock | Promise<AdvancedClock> };
    snapshot(): Snapshot | Promise<Snapshot>;
    show(): MerchantState | Promise<MerchantState>;
  };
}

type Jump = Parameters<MerchantClock['advance']>[0];

/** Creates clients for journeys, without records or with the demo records. */
export interface Clients {
  createClient(options?: { readonly now?: string }): JourneyClient | Promise<JourneyClient>;
  createDemoClient(options?: { readonly now?: string }): JourneyClient | Promise<JourneyClient>;
}

export interface CallInit {
  readonly headers?: Record<string, string | undefined>;
  /** Sent unchanged instead of the input as JSON. */
  readonly raw?: BodyInit;
  readonly method?: string;
}

export const BASE = 'http://sandbox';

/** Handles requests: a sandbox in this process, or a client of one. */
export interface Fetcher {
  fetch(request: Request): Promise<Response>;
}

const opened = new WeakMap<Sandbox, OpenSandbox>();

/** The internals of each sandbox. */
export function remember<Opened extends OpenSandbox>(open: Opened): Opened {
  opened.set(open.sandbox, open);
  return open;
}

/** The whole state of a sandbox, apart from the history of its Worlds. */
export function everythingOf(sandbox: Sandbox) {
  const { store } = openedOf(sandbox);
  return {
    lastId: store.lastId,
    anonymousRequests: store.anonymousRequests,
    random: store.random.state,
    blocked: [...store.blocked.keys()],
    merchants: sandbox.merchants().map((merchant) => ({
      id: merchant.id,
      name: merchant.name,
      apiKey: merchant.apiKey,
      config: store.byId.get(merchant.id)?.config,
      world: withoutHistory(merchant.snapshot().world),
    })),
  };
}

function openedOf(sandbox: Fetcher): OpenSandbox {
  const open = opened.get(sandbox as Sandbox);
  if (!open) throw new Error('This sandbox was made by no client');
  return open;
}

/** A sandbox that `everythingOf` can read. */
export const createSandbox = (options: SandboxOptions): Sandbox =>
  remember(openSandbox(options, {}, SERVED_TOOLS)).sandbox;

/** Sends a request to a client's sandbox with a connection, as a server does. */
export async function fetchOver(
  sandbox: Fetcher,
  connection: Connection,
  request: Request,
): Promise<Response> {
  return openedOf(sandbox).handle(request, connection);
}

export function createClient(options: SandboxOptions = {}): Client {
  const sandbox = createSandbox({ now: START, clock: 'frozen', seed: 7, ...options });
  return clientOf(sandbox, sandbox.createMerchant(), familiesOf(options));
}

/** A client of the demo merchant. */
export function createDemoClient(options: SandboxOptions = {}): Client {
  const sandbox = createSandbox({ now: START, clock: 'frozen', seed: 7, ...options });
  return clientOf(sandbox, sandbox.merchant('sk_sandbox_demo'), familiesOf(options));
}

/** The families that a sandbox with these options serves. */
const familiesOf = ({ profile }: SandboxOptions): ServedFamilies =>
  profile === undefined ? publishedFamilies : createFamilies(applyProfile(PUBLISHED, profile));

export function clientOf(
  sandbox: Sandbox,
  merchant: Merchant,
  served: ServedFamilies = publishedFamilies,
): Client {
  return {
    sandbox,
    merchant,
    as: (other) => clientOf(sandbox, other, served),
    call: (operationId, input, init) =>
      callOperation(
        (request) => sandbox.fetch(request),
        BASE,
        merchant.apiKey,
        operationId,
        input,
        init,
        served,
      ),
  };
}

/** Sends a request and checks the response against its declared schema, in both directions. */
export async function callOperation(
  fetch: (request: Request) => Promise<Response>,
  base: string,
  apiKey: string,
  operationId: string,
  input: unknown,
  init: CallInit = {},
  served: ServedFamilies = publishedFamilies,
): Promise<Answer> {
  const operation = operationOf(operationId);
  const response = await fetch(requestOf(operation, base, apiKey, input, init));
  const answer = await readAnswer(response);
  checkAnswer(operation, answer, served);
  return answer;
}

export function requestOf(
  operation: Operation,
  base: string,
  apiKey: string,
  input: unknown = {},
  init: CallInit = {},
): Request {
  const url = new URL(base + operation.path);
  let body: BodyInit | undefined;
  if (operation.method === 'post') body = init.raw ?? JSON.stringify(input);
  else {
    for (const [key, value] of Object.entries(input as Record<string, unknown>)) {
      if (operation.path.includes(`:${key}`)) {
        url.pathname = url.pathname.replace(`:${key}`, encodeURIComponent(queryText(value)));
      } else url.searchParams.set(key, queryText(value));
    }
  }
  const headers = new Headers({ authorization: `Bearer ${apiKey}` });
  if (operation.method === 'post') headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(init.headers ?? {})) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
  return new Request(url, {
    method: init.method ?? operation.method.toUpperCase(),
    headers,
    ...(body !== undefined && init.method !== 'GET' && { body }),
  });
}

/** A value as text for a query or a path. */
export const queryText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** A reason for this form of refusal: those of a framework have no envelope (`error-envelope`). */
function reasonOf({ body }: Answer, settings: Settings): ErrorCode {
  if (ERROR_ENVELOPE.in(settings) === 'envelope' || 'success' in body) return 'token_unknown';
  return 'errors' in body ? 'invalid' : 'malformed';
}

/** Checks a response of the merchant API against the schema that these families declare. */
export function checkAnswer(
  operation: Operation | undefined,
  answer: Answer,
  served: ServedFamilies = publishedFamilies,
): void {
  expect(answer.headers.get('sandbox-request-id')).toMatch(/^req-\d+(-\d+)?-\d+$/);
  expect(answer.headers.get('content-type')).toBe('application/json');
  const { settings } = served;
  const declared = served.operations.find(
    ({ operationId }) => operationId === operation?.operationId,
  );
  const envelope = declared?.envelope ?? unknownRouteEnvelope;
  // A refusal has a success status only if a profile says so.
  const mayBeRefusal = Object.values(declared?.statuses ?? HTTP_STATUS.in(settings)).includes(200);
  const isRefusal = answer.status !== 200 || (mayBeRefusal && answer.body.success === false);
  const schema =
    declared && !isRefusal
      ? declared.success
      : failureForms(envelope, settings)(reasonOf(answer, settings));
  const parsed = schema.safeParse(answer.body);
  const what = operation?.operationId ?? 'a call of no operation';
  expect(parsed.error?.issues ?? [], `${what} ${answer.text}`).toEqual([]);
  expect(parsed.data, 'what is declared is what is answered').toEqual(answer.body);
  expectKeyOrder(answer.body, parsed.data, `${what}: body`);
}
