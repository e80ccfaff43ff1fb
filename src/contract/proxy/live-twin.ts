import type { Operation } from '../../api/operation.ts';
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
import type { Settings } from '../../world/settings.ts';
import { type Instant, MINUTE_MS } from '../../world/time.ts';
import { nowOf } from '../../world/world.ts';
import { productsOf, publishedCatalogue, withProducts } from '../catalogue.ts';
import { type Json, showValue, valueAt } from '../json.ts';
import { Links, type Sighting } from '../links.ts';
import {
  copyRecords,
  fixturesOf,
  lengthOf,
  MARKS,
  MAX_PLACEHOLDERS,
  type TwinAnswer,
  twinAnswer,
} from '../twin.ts';

/** How many calls a merchant's twin lives before it forgets them. */
const MAX_CALLS = 5000;
const MAX_MERCHANTS = 200;

/** What the twin lives of one merchant of the service. */
export interface LiveMerchant {
  readonly merchant: Merchant;
  readonly links: LiveLinks;
  /** Tokens of the twin that were initiated at a moment that nobody told. */
  readonly undated: Set<string>;
  calls: number;
}

/** Links that are told of a conflict at once: what was said first counts. */
export class LiveLinks extends Links {
  override add(kind: string, own: Json, seen: Json, sighting: Sighting): void {
    const known = this.seenFor(kind, own);
    const owner = this.ownFor(kind, seen);
    const { path, assumptions, add } = sighting;
    const tell = (expected: string) => add({ path, expected, seen, assumptions });
    if (known === undefined && owner === undefined) super.add(kind, own, seen, sighting);
    else if (known !== undefined && known !== seen) tell(showValue(known));
    else if (owner !== own) tell(`another ${kind} than that of an earlier record`);
  }
}

/** A request as the twin is sent it. */
export interface TwinRequest {
  readonly operation: Operation;
  readonly request: Request;
  readonly input: Readonly<Record<string, Json>>;
  /** When the service answered; undefined if it does not tell. */
  readonly at: Instant | undefined;
}

/** A sandbox that lives what passes through a proxy: a merchant for each key, with any product at any price. */
export interface LiveTwin {
  merchantOf(authorization: string, now: Instant): LiveMerchant;
  /** The twin's answer; `seen` is the service's, whose lists may hold what the twin does not know. */
  ask(live: LiveMerchant, asked: TwinRequest, seen: { readonly body: Json }): Promise<TwinAnswer>;
  /** The same, leaving the merchant as it was if the twin accepts. */
  askWithoutEffect(
    live: LiveMerchant,
    asked: TwinRequest,
    seen: { readonly body: Json },
  ): Promise<TwinAnswer>;
  /** The twin's answer to a request without a valid key. */
  askUnknown(request: Request): Promise<TwinAnswer>;
  /** The same if it has lived anything. */
  known(authorization: string): LiveMerchant | undefined;
  /** Called when something else may have changed the service, for one merchant or all. */
  forget(authorization?: string): void;
}

export function createLiveTwin(
  decisions: Readonly<Record<string, unknown>>,
  { statuses }: Settings,
): LiveTwin {
  const catalogue = publishedCatalogue();
  const { sandbox, store } = openSandbox({
    fixtures: fixturesOf(catalogue),
    profile: {
      version: 1,
      decisions: { ...decisions, 'http-status': MARKS, 'amount-check': 'ignore' },
    },
    redact: false,
  });
  const merchants = new Map<string, LiveMerchant>();
  const worldOf = ({ apiKey }: Merchant): World => store.byKey.get(apiKey)?.world as World;

  const create = (now: string): Merchant => sandbox.createMerchant({ mode: 'frozen', now });

  function remove(key: string): void {
    merchants.get(key)?.merchant.remove();
    merchants.delete(key);
  }

  async function send({ apiKey }: Merchant, { request }: TwinRequest): Promise<TwinAnswer> {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${apiKey}`);
    return twinAnswer(await sandbox.fetch(new Request(request.clone(), { headers })), statuses);
  }

  const ask: LiveTwin['ask'] = async ({ merchant, undated }, asked, seen) => {
    const world = worldOf(merchant);
    sellProduct(world, asked);
    moveTo(world, asked.at);
    for (const token of undated) renewToken(world, token);
    const answer = await send(merchant, asked);
    const token = valueAt(answer.body, 'data.token');
    if (asked.at === undefined && token !== undefined) undated.add(token);
    else undated.delete(String(asked.input.token));
    const more = lengthOf({ ...answer, body: seen.body }) - lengthOf(answer);
    if (!(more > 0) || more > MAX_PLACEHOLDERS) return answer;
    const standIn = create(merchant.clock.show().now);
    copyRecords(world, worldOf(standIn), asked, more);
    const filled = await send(standIn, asked);
    standIn.remove();
    return filled;
  };

  return {
    merchantOf(authorization, now) {
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
    async askWithoutEffect(live, asked, seen) {
      const world = worldOf(live.merchant);
      if (asked.operation.readOnly) return ask(live, asked, seen);
      moveTo(world, asked.at);
      const token = String(asked.input.token);
      if (isPending(world, token, live.undated.has(token))) return ACCEPTED;
      if (asked.operation.errors.includes('token_unknown')) return ask(live, asked, seen);
      const standIn = create(live.merchant.clock.show().now);
      copyRecords(world, worldOf(standIn), asked, 0);
      const answer = await ask({ ...live, merchant: standIn }, asked, seen);
      standIn.remove();
      return answer;
    },
    askUnknown: async (request) => twinAnswer(await sandbox.fetch(request.clone()), statuses),
    known: (authorization) => merchants.get(authorization),
    forget(authorization) {
      for (const key of authorization === undefined ? [...merchants.keys()] : [authorization]) {
        remove(key);
      }
    },
  };
}

/** Sets the clock of a World to what the service's shows, which may go back: it may be a sandbox's. */
function moveTo(world: World, at: Instant | undefined): void {
  if (at !== undefined) world.clock = { ...world.clock, mode: 'frozen', at };
}

/** Whether a token completes a purchase now. */
const isPending = (world: World, token: string, isUndated: boolean): boolean =>
  anyFamilies.some((family) => {
    const purchase = stateOf(world, family).tokens.pending.get(token);
    return purchase && (isUndated || nowOf(world) - purchase.initiated_at < LIFETIME_MS);
  });

const LIFETIME_MS = 15 * MINUTE_MS;

/** What a call that would be done is answered, as far as a refusal is compared with it. */
const ACCEPTED: TwinAnswer = {
  status: 200,
  due: 200,
  code: undefined,
  headers: new Headers(),
  text: '',
  body: { success: true },
};

/** Counts the fifteen minutes of a token from now on. */
function renewToken(world: World, token: string): void {
  for (const family of anyFamilies) {
    const { pending } = stateOf(world, family).tokens;
    const purchase = pending.get(token);
    if (purchase) pending.put(token, { ...purchase, initiated_at: nowOf(world) });
  }
}

/** What a service sells, and for how much, is not known: the twin sells what is asked for. */
function sellProduct(world: World, { operation: { operationId }, input }: TwinRequest): void {
  const id = Number(input.product_id);
  const family = anyFamilies.find((each) =>
    each.operations.some((own) => own.operationId === operationId),
  );
  if (!family || !Number.isSafeInteger(id) || id < 1) return;
  const known = world.products.get(id);
  if (known?.family === family.key && known.enable) return;
  const sold = priceDocument(world);
  const ids = productsOf(sold, family.key);
  const products = [...ids, id].map((each) => ({ id: each, prices: {} }));
  // A family that sold this id to others sells it no more.
  const others = sold.products.filter((product) => product.id !== id);
  setPrices(world, priceListOf(withProducts({ ...sold, products: others }, family.key, products)));
}
