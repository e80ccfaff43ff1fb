/* The twin behind a proxy: learns merchants, tokens and products from the traffic. */

import type { Operation } from '../../api/operation.ts';
import type { ReceivedResponse } from '../../kit/receive.ts';
import { openSandbox } from '../../open-sandbox.ts';
import {
  anyFamilies,
  priceDocument,
  priceListOf,
  setPrices,
  stateOf,
  type World,
} from '../../products/world.ts';
import type { Merchant } from '../../public.ts';
import { productsOf, publishedCatalogue, withProducts } from '../../scenarios/catalogue.ts';
import { showValue, valueAt } from '../../scenarios/json.ts';
import type { Input } from '../../scenarios/scenario.ts';
import type { Instant } from '../../world/time.ts';
import { nowOf } from '../../world/world.ts';
import { Links, type Sighting } from '../check/links.ts';
import {
  copyRecords,
  familyOf,
  fixturesOf,
  lengthOf,
  MAX_PLACEHOLDERS,
  type TwinAnswer,
  twinAnswer,
  twinProfile,
} from '../check/twin.ts';
import { type Exchange, headersOf, type KnownCall, queryOf, sentJson } from './exchange.ts';

/** The number of requests after which a merchant's twin starts again. */
const MAX_CALLS = 5000;
const MAX_MERCHANTS = 200;

/** The twin of one merchant of the service. */
export interface LiveMerchant {
  readonly merchant: Merchant;
  readonly links: LiveLinks;
  /** Tokens of the twin whose time of issue is unknown. */
  readonly undated: Set<string>;
  calls: number;
}

/** Links that report a conflict at once: the first value counts. */
export class LiveLinks extends Links {
  override add(kind: string, twin: unknown, server: unknown, sighting: Sighting): void {
    const known = this.serverFor(kind, twin);
    const owner = this.twinFor(kind, server);
    const { path, assumptions, add } = sighting;
    const tell = (expected: string) => add({ path, expected, seen: server, assumptions });
    if (known === undefined && owner === undefined) super.add(kind, twin, server, sighting);
    else if (known !== undefined && known !== server) tell(showValue(known));
    else if (owner !== twin) tell(`a new ${kind}, not that of an earlier record`);
  }
}

/** A base URL that no service has. Page URLs are compared by path and query. */
export const TWIN_BASE = 'http://twin.invalid';

/** A request to the twin. */
export interface TwinRequest {
  readonly operation: Operation;
  readonly request: Request;
  readonly input: Readonly<Record<string, unknown>>;
  /** The time of the service's response; undefined if it is not known. */
  readonly at: Instant | undefined;
  /** Whether it contains a token or policy number that the twin does not know. */
  readonly isForeign: boolean;
}

/** Replaces the service's tokens and policy numbers in a request with the twin's. */
export function twinRequest(
  exchange: Exchange,
  { operation, params }: KnownCall,
  { links }: LiveMerchant,
  at: Instant | undefined,
): TwinRequest {
  const { method, target, headers, sent } = exchange;
  const body: unknown = sentJson(exchange);
  const input: Input =
    typeof body === 'object' && body !== null
      ? { ...body }
      : Object.fromEntries(new URLSearchParams(queryOf(target)));
  let isForeign = false;
  const twinsValue = (kind: string, value: unknown): unknown => {
    const found = links.twinFor(kind, value) ?? links.twinFor(kind, String(value).trim());
    isForeign ||= found === undefined;
    return found ?? value;
  };
  const translated: Record<string, unknown> = { ...input };
  for (const [field, kind] of Object.entries(ISSUED)) {
    if (typeof translated[field] === 'string')
      translated[field] = twinsValue(kind, translated[field]);
  }
  let path = operation.path;
  for (const [name, value] of Object.entries(params)) {
    path = path.replace(`:${name}`, encodeURIComponent(String(twinsValue('policy_no', value))));
  }
  const query = queryOf(target);
  const isChanged = Object.keys(ISSUED).some((field) => translated[field] !== input[field]);
  const given = headersOf(headers);
  const kept = new Headers();
  for (const name of ['authorization', 'content-type']) {
    const value = given.get(name);
    if (value !== null) kept.set(name, value);
  }
  const verb = method === 'HEAD' ? 'GET' : method;
  const content = isChanged ? JSON.stringify(translated) : sent;
  const request = new Request(`${TWIN_BASE}${path}${query === '' ? '' : `?${query}`}`, {
    method: verb,
    headers: kept,
    ...(verb !== 'GET' && content !== undefined && { body: content as BodyInit }),
  });
  return { operation, request, input: translated, at, isForeign };
}

/** Request fields with values that the service issued, and their kinds. */
export const ISSUED: Readonly<Record<string, string>> = {
  token: 'token',
  policy_no: 'policy_no',
  policy_number: 'policy_number',
  Policy_number: 'policy_number',
  policyNumber: 'policy_number',
};

export type LiveTwin = ReturnType<typeof createLiveTwin>;

/** A sandbox that replays a proxy's traffic: one merchant for each key, with any product at any price. */
export function createLiveTwin(decisions: Readonly<Record<string, unknown>>) {
  const catalogue = publishedCatalogue();
  const { sandbox, store } = openSandbox({
    fixtures: fixturesOf(catalogue),
    profile: twinProfile({ ...decisions, 'amount-check': 'ignore' }),
    redact: false,
  });
  const merchants = new Map<string, LiveMerchant>();
  const worldOf = ({ apiKey }: Merchant): World => store.byKey.get(apiKey)?.world as World;

  const create = (now: string): Merchant => sandbox.createMerchant({ mode: 'frozen', now });

  function remove(key: string): void {
    merchants.get(key)?.merchant.remove();
    merchants.delete(key);
  }

  async function send(
    { apiKey }: Merchant,
    { operation, request }: TwinRequest,
  ): Promise<TwinAnswer> {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${apiKey}`);
    const answer = await sandbox.fetch(new Request(request.clone(), { headers }));
    return twinAnswer(answer, operation.statuses);
  }

  /** The twin's response. `response` is the service's, whose lists may contain records that the twin does not know. */
  async function ask(
    { merchant, undated }: LiveMerchant,
    asked: TwinRequest,
    response: ReceivedResponse,
  ): Promise<TwinAnswer> {
    const world = worldOf(merchant);
    sellProduct(world, asked);
    moveTo(world, asked.at);
    for (const token of undated) renewToken(world, token);
    const answer = await send(merchant, asked);
    const token = valueAt(answer.body, 'data.token');
    if (asked.at === undefined && token !== undefined) undated.add(String(token));
    else undated.delete(String(asked.input.token));
    const more = lengthOf({ ...answer, body: response.body }) - lengthOf(answer);
    if (!(more > 0) || more > MAX_PLACEHOLDERS) return answer;
    const standIn = create(merchant.clock.show().now);
    copyRecords(world, worldOf(standIn), asked, more);
    const filled = await send(standIn, asked);
    standIn.remove();
    return filled;
  }

  return {
    merchantOf(authorization: string, now: Instant): LiveMerchant {
      const known = merchants.get(authorization);
      if (known && known.calls < MAX_CALLS) {
        known.calls += 1;
        return known;
      }
      remove(authorization);
      const [oldest] = merchants.keys();
      if (oldest !== undefined && merchants.size >= MAX_MERCHANTS) remove(oldest);
      const live = {
        merchant: create(new Date(now).toISOString()),
        links: new LiveLinks(),
        undated: new Set<string>(),
        calls: 1,
      };
      merchants.set(authorization, live);
      return live;
    },
    ask,
    /** Like `ask`, but a success does not change the merchant. */
    async askWithoutEffect(
      live: LiveMerchant,
      asked: TwinRequest,
      response: ReceivedResponse,
    ): Promise<TwinAnswer> {
      const world = worldOf(live.merchant);
      if (asked.operation.readOnly) return ask(live, asked, response);
      moveTo(world, asked.at);
      const token = String(asked.input.token);
      if (isPending(world, token, live.undated.has(token))) return ACCEPTED;
      if (asked.operation.errors.includes('token_unknown')) return ask(live, asked, response);
      const standIn = create(live.merchant.clock.show().now);
      copyRecords(world, worldOf(standIn), asked, 0);
      const answer = await ask({ ...live, merchant: standIn }, asked, response);
      standIn.remove();
      return answer;
    },
    /** The twin's response to a request without a valid key. */
    askUnknown: async ({ operation, request }: TwinRequest) =>
      twinAnswer(await sandbox.fetch(request.clone()), operation.statuses),
    /** The merchant of a key, if there is one. */
    known: (authorization: string) => merchants.get(authorization),
    /** Forgets one merchant or all, because something else may have changed the service. */
    forget(authorization?: string): void {
      for (const key of authorization === undefined ? merchants.keys() : [authorization])
        remove(key);
    },
  };
}

/** Sets a World's clock to the service's, even backwards: the service may be a sandbox. */
function moveTo(world: World, at: Instant | undefined): void {
  if (at !== undefined) world.clock = { ...world.clock, mode: 'frozen', at };
}

/** Whether a token can complete a purchase now. */
const isPending = (world: World, token: string, isUndated: boolean): boolean =>
  anyFamilies.some((family) => {
    const { lifetimeMs, pending } = stateOf(world, family).tokens;
    const purchase = pending.get(token);
    return purchase && (isUndated || nowOf(world) - purchase.initiated_at < lifetimeMs);
  });

/** The response to a request that would succeed, for comparison with a refusal. */
const ACCEPTED: TwinAnswer = {
  status: 200,
  due: 200,
  code: undefined,
  headers: new Headers(),
  text: '',
  body: { success: true },
};

/** Restarts the lifetime of a token. */
function renewToken(world: World, token: string): void {
  for (const family of anyFamilies) {
    const { pending } = stateOf(world, family).tokens;
    const purchase = pending.get(token);
    if (purchase) pending.put(token, { ...purchase, initiated_at: nowOf(world) });
  }
}

/** Adds the requested product to the twin, because the service's catalogue is not known. */
function sellProduct(world: World, { operation, input }: TwinRequest): void {
  const { product_id: sent } = input;
  // An object may have no primitive value.
  const id = typeof sent === 'object' ? Number.NaN : Number(sent);
  const family = familyOf(operation);
  if (!family || !Number.isSafeInteger(id) || id < 1) return;
  const known = world.products.get(id);
  if (known?.family === family.key && known.enable) return;
  const sold = priceDocument(world);
  const ids = productsOf(sold, family.key);
  const products = [...ids, id].map((each) => ({ id: each, prices: {} }));
  // Another family may have sold a product with this id.
  const others = sold.products.filter((product) => product.id !== id);
  setPrices(world, priceListOf(withProducts({ ...sold, products: others }, family.key, products)));
}
