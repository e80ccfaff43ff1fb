/* Finds out before a check what is at a URL, whether it may buy there, and which products the server sells. */

import { createControlClient } from '../../connect/control-client.ts';
import type { Send } from '../../connect/receive.ts';
import { isThisMachine } from '../../control/access.ts';
import type { RemoteMerchant } from '../../types/public.ts';
import { truncateLine } from '../../world/printable.ts';
import { isPlainObject } from '../../world/problem-texts.ts';
import { day } from '../../world/time.ts';
import { Answer } from './answer.ts';
import type { Keys, ProbeCall } from './call.ts';
import { families } from './calls/index.ts';
import type { Mask } from './mask.ts';
import { type Ground, NotAsked, Player, type ServerClock } from './play.ts';
import {
  attempt,
  createMerchant,
  isSandbox,
  journalOf,
  STARTS_AT,
  soldProducts,
  targetOf,
} from './sandbox.ts';
import { CheckError, type CheckTime } from './send.ts';
import { valueAt } from './values.ts';

/** The keys of a check, and what it may do. */
export interface CheckAccess {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  /** The merchant's key. It appears nowhere in the report. */
  readonly key: string;
  /** The key of a second merchant, to show isolation. */
  readonly otherKey?: string | undefined;
  /** Buys and renews on another machine too. */
  readonly buy?: boolean | undefined;
  /** Waits until tokens expire if no clock can be moved. */
  readonly waitExpiry?: boolean | undefined;
  /** By family, the id of a product to buy. */
  readonly products?: ReadonlyMap<string, number> | undefined;
}

/** A server that can be checked. */
export interface Target {
  readonly ground: Ground;
  /** Removes the merchants that the check created. */
  release(): Promise<void>;
}

/** A quote for a product. */
function ofProduct(quote: ProbeCall, product_id: number): ProbeCall {
  const input: ProbeCall['input'] = (...args) => ({ ...quote.input(...args), product_id });
  return { ...quote, what: 'of a product', input };
}

/** The calls that tell whether a server has the contract: none of them buys. */
const FIRST_CALLS: readonly ProbeCall[] = families.flatMap(
  ({ sampleProduct, pendingList, quote }) => [
    { ...pendingList, after: [], what: 'of the merchant' },
    ...(quote ? [ofProduct(quote, sampleProduct)] : []),
  ],
);

interface Means {
  readonly send: Send;
  readonly time: CheckTime;
  readonly mask: Mask;
  /** Hides another key in what the server writes. */
  hide(key: string): void;
}

/** Finds out what is at a URL. Throws `CheckError` if nothing of the contract is. */
export async function findTarget(
  access: CheckAccess,
  { send, time, mask, hide }: Means,
): Promise<Target> {
  const { url: base, key, otherKey } = access;
  if (otherKey === key) {
    throw new CheckError('The other key is the same key; it must belong to another merchant.');
  }
  const at = (place: string) => answersFrom(place, key, { send, time, mask });
  const ask = at(base);
  const first = await firstSuccess(base, at, mask);
  const server = { url: base, send };
  const control = createControlClient({ ...server, token: key });
  // A proxy on this machine may forward to the real service, where purchases cost money.
  const journal = await journalOf(control);
  const target = isThisMachine(new URL(base).host) ? targetOf(journal) : undefined;
  const { host } = new URL(target ?? base);
  const noPurchase =
    access.buy || isThisMachine(host) ? undefined : `purchases at ${host} require --buy`;
  const sandbox = noPurchase === undefined && isSandbox(journal, first);
  const products = sandbox
    ? { ...(await soldProducts(control)), ...Object.fromEntries(access.products ?? []) }
    : await findProducts(access.products ?? new Map(), ask);
  const created: RemoteMerchant[] = [];
  const create = async () => {
    const merchant = sandbox ? await createMerchant(server, control) : undefined;
    if (!merchant) return undefined;
    hide(merchant.apiKey);
    created.push(merchant);
    return merchant;
  };
  const merchant = await create();
  const served = Date.parse(first.headers.get('date') ?? '');
  const startsAt = merchant ? STARTS_AT : served || time.now();
  const other = merchant && (await create());
  const rotated = other && (await replacedKey(other));
  if (other) hide(other.apiKey);
  return {
    ground: {
      ...{ base, send, mask, noPurchase },
      setup: { run: time.now().toString(36), today: day(startsAt), products },
      clock: merchant ? movedClock(merchant) : realClock(time, access.waitExpiry === true),
      keys: keysOf(merchant?.apiKey ?? key, other?.apiKey ?? otherKey, rotated),
    },
    async release() {
      for (const each of created) await attempt(each.remove());
    },
  };
}

/** The headers for these keys. */
function keysOf(key: string, other?: string, rotated?: string): Keys {
  const bearer = (each: string | undefined) => each && `Bearer ${each}`;
  return {
    ...{ merchant: bearer(key), other: bearer(other), rotated: bearer(rotated) },
    ...{ wrong: 'Bearer sandbox-check-no-key', 'lower-case scheme': `bearer ${key}`, none: null },
  };
}

/** Replaces the key of a merchant. Returns the one before. */
async function replacedKey(merchant: RemoteMerchant): Promise<string | undefined> {
  const { apiKey } = merchant;
  return (await attempt(merchant.rotateKey())) ? apiKey : undefined;
}

/** The clock of a sandbox. */
function movedClock({ clock }: RemoteMerchant): ServerClock {
  let now = STARTS_AT;
  return {
    now: () => now,
    async passTo(moment) {
      if (moment <= now) return;
      await attempt(clock.advance({ to: new Date(moment).toISOString() }));
      now = moment;
    },
  };
}

/** The clock of another server. */
const realClock = (time: CheckTime, mayWait: boolean): ServerClock => ({
  now: time.now,
  async passTo(moment, margin) {
    if (margin === undefined) throw new NotAsked('only a clock that can be moved shows it');
    if (!mayWait) throw new NotAsked('time has to pass; --wait-expiry waits 15 minutes');
    await time.wait(Math.max(0, moment + margin - time.now()));
  },
});

type Ask = (call: ProbeCall) => Promise<Answer | string>;
type AskAt = (base: string) => Ask;

/** Sends single calls, before anything is known of the server. */
function answersFrom(base: string, key: string, { send, time, mask }: Omit<Means, 'hide'>): Ask {
  const player = new Player({
    base,
    send,
    mask,
    setup: { run: '', today: '', products: {} },
    keys: keysOf(key),
    clock: realClock(time, false),
    noPurchase: 'nothing is bought yet',
  });
  return async (call) => {
    const outcome = await player.outcomeOf(call);
    return outcome instanceof Answer ? outcome : outcome.message;
  };
}

/** The first answer of a server that is a success. Throws `CheckError` if there is none. */
async function firstSuccess(base: string, at: AskAt, mask: Mask): Promise<Answer> {
  const ask = at(base);
  let worst: Answer | undefined;
  let failure: string | undefined;
  for (const call of FIRST_CALLS) {
    const answer = await ask(call);
    if (typeof answer === 'string') {
      // One operation may hang or answer too much; a server that is away is not asked five times.
      if (failure !== undefined) break;
      failure = answer;
    } else {
      if (answer.ok) return answer;
      if (!worst || (isMissing(worst) && !isMissing(answer))) worst = answer;
    }
  }
  const why = worst ? await whyUnusable(base, worst, at, mask) : failure;
  throw new CheckError(`${base} ${why}.`);
}

const isMissing = ({ status }: Answer): boolean => [404, 405, 410].includes(status);

/** Why no answer of a server can be checked. */
async function whyUnusable(base: string, answer: Answer, at: AskAt, mask: Mask): Promise<string> {
  const { status, text, body, form, message } = answer;
  const said = message === undefined ? '' : `: "${truncateLine(message)}"`;
  if (status >= 300 && status < 400) {
    return `redirects to ${truncateLine(answer.showHeader('location'))}; use the final address as --url`;
  }
  if (status === 401 || status === 403) return `refuses the key with ${status}${said}`;
  if (isMissing(answer)) {
    const found = await answeringBase(base, at);
    const hint = found === undefined ? '' : `; try --url ${found}`;
    return `has no path of the contract (${answer.call.operation.path} returns ${status})${hint}`;
  }
  if (!isPlainObject(body)) {
    const snippet = truncateLine(mask(text.slice(0, 4000)));
    return `returned ${status} with ${form}${snippet === '' ? '' : `: ${snippet}`}`;
  }
  return `refuses every list and quote with ${status}${said}`;
}

/** Path segments that a base URL often lacks. */
const SUFFIXES = ['/api', '/v1', '/v2', '/public', '/sandbox', '/index.php'];

/** Another base URL on the same host that has the list; undefined if there is none. */
async function answeringBase(base: string, at: AskAt): Promise<string | undefined> {
  const { origin, pathname } = new URL(base);
  const parts = pathname.split('/').filter((part) => part !== '');
  const above = parts.map((_, count) => [origin, ...parts.slice(0, count)].join('/'));
  for (const other of [...above.toReversed(), ...SUFFIXES.map((suffix) => base + suffix)]) {
    const answer = await at(other)(FIRST_CALLS[0] as ProbeCall);
    if (typeof answer !== 'string' && answer.ok) return other;
  }
  return undefined;
}

/** The first product that has a quote; simply the first where no quote can be had. */
async function firstSold(
  ids: ReadonlySet<number>,
  quote: ProbeCall | undefined,
  ask: Ask,
): Promise<number | undefined> {
  const [first] = ids;
  if (!quote) return first;
  for (const id of ids) {
    const answer = await ask(ofProduct(quote, id));
    if (typeof answer === 'string' || isMissing(answer)) return first;
    if (answer.ok) return id;
  }
  return undefined;
}

/** Where an item of a list says its product. */
const PRODUCT_PATHS = ['product_id', 'subscriptions.product_id', 'subscriptions.0.product_id'];

/** By family, a product that was named, or one that is sold: of a list, or of the samples. */
async function findProducts(
  named: ReadonlyMap<string, number>,
  ask: Ask,
): Promise<Readonly<Record<string, number | undefined>>> {
  const products: Record<string, number | undefined> = Object.fromEntries(named);
  for (const { key, pendingList, sampleProduct, quote } of families) {
    if (named.has(key)) continue;
    const list = await ask({ ...pendingList, after: [] });
    const items = typeof list === 'string' ? [] : list.items;
    const listed = items.flatMap((item) => PRODUCT_PATHS.map((path) => valueAt(item, path)));
    const candidates = [...listed, sampleProduct].map(Number).filter(Number.isSafeInteger);
    products[key] = await firstSold(new Set(candidates), quote, ask);
  }
  return products;
}
