import type { Operation } from '../api/operation.ts';
import { applyProfile } from '../control/assumptions.ts';
import type { ProductFamily } from '../products/family.ts';
import { anyFamilies, DEFAULT_SETTINGS } from '../products/world.ts';
import type { Instant } from '../world/time.ts';
import { createClient, type Fetch, NetworkError, type Send, type Time } from './client.ts';
import {
  type CallControl,
  createControlClient,
  createMerchant,
  holdMerchant,
  isSandbox,
  merchantOf,
  readTarget,
  STARTS_AT,
} from './control-client.ts';
import { type Explained, explain, learnProvider } from './explain.ts';
import { type Learnt, learnCatalogue } from './learn.ts';
import { findingsOf, type Played, type PlayedCall, play } from './play.ts';
import { type Cast, dateOf, type Recording } from './record.ts';
import type { Report } from './report.ts';
import { requestOf } from './requests.ts';
import { notAskedCall, resultsOf } from './results.ts';
import { scenariosFor } from './scenarios/index.ts';
import { purchaserOf, runOf } from './scenarios/people.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { playAll } from './schedule.ts';
import { createMask, type MaskSecrets } from './secrets.ts';
import { baseOf, CheckError, preflight } from './target.ts';
import { isThisMachine } from './this-machine.ts';
import type { TwinConfig } from './twin.ts';

export interface CheckOptions {
  /** Base address of the server. */
  readonly url: string;
  /** The merchant's key. It stands in no part of the report. */
  readonly key: string;
  /** The key of another merchant, which must see nothing of the first one's. */
  readonly otherKey?: string | undefined;
  /** Keys of the product families to ask; all of them unless given. */
  readonly families?: readonly string[] | undefined;
  /** Products to buy, by family, where they can't be found. */
  readonly products?: ReadonlyMap<string, number> | undefined;
  /** Sends nothing that buys or renews. Off this machine that is so unless `buy` is given. */
  readonly readOnly?: boolean | undefined;
  /** Buys and renews off this machine too. */
  readonly buy?: boolean | undefined;
  /** Waits until tokens expire, where no clock can be moved. */
  readonly waitExpiry?: boolean | undefined;
  /** The most requests sent in a second. Without it each follows the response before. */
  readonly rps?: number | undefined;
  /** How long to wait for each response, in milliseconds. */
  readonly timeout?: number | undefined;
  /** A profile that the server is expected to follow. */
  readonly profile?: unknown;
  /** Told what the check does, in a few words. */
  readonly onProgress?: ((what: string) => void) | undefined;
}

export const DEFAULT_TIMEOUT_MS = 10_000;

/** Compares a server with the contract. Throws `CheckError` where there is nothing to compare. */
export async function check(options: CheckOptions, fetch: Fetch, time: Time): Promise<Report> {
  const { key, otherKey, rps, timeout = DEFAULT_TIMEOUT_MS, onProgress } = options;
  const base = baseOf(options.url);
  const decisions = decisionsOf(options.profile);
  const secrets = new Set([key, ...(otherKey === undefined ? [] : [otherKey])]);
  const mask = createMask(secrets);
  let requests = 0;
  const counted: Fetch = (request) => {
    requests += 1;
    return fetch(request);
  };
  const send = createClient(counted, time, { rps, timeout }, mask);
  const families = anyFamilies.filter((family) => options.families?.includes(family.key) ?? true);
  const server = await meetServer({ base, send, mask, time }, options, families, decisions);
  const session: Session = {
    base,
    send,
    time,
    server,
    options,
    secrets,
    onProgress: onProgress ?? (() => undefined),
  };
  try {
    const lived = await live(session, families);
    session.onProgress('compares the answers');
    const { played, explained, notes } = await compare(lived, decisions, session);
    return mask({
      version: 2 as const,
      url: base,
      families: families.map((family) => family.key),
      read_only: server.noPurchase !== undefined,
      control_plane: server.isSandbox,
      requests,
      notes: [...notesOf(server, options), ...lived.learnt.notes, ...notes],
      ...resultsOf([...played.calls, ...lived.skipped], explained, decisions, mask),
    });
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw new CheckError(`${mask(base)} ${error.message}; the check was given up on the way.`);
  }
}

/** What a check found out of a server before it begins. */
interface Server {
  /** The address of the service itself, also where a proxy stands before it. */
  readonly place: string;
  readonly isSandbox: boolean;
  readonly control: CallControl;
  /** Why nothing is bought or renewed; undefined where it is. */
  readonly noPurchase: string | undefined;
  /** Whether the check may create merchants and move clocks. */
  readonly isHeld: boolean;
  readonly now: Instant;
}

/** A check under way. */
interface Session {
  readonly base: string;
  readonly send: Send;
  readonly time: Time;
  readonly server: Server;
  readonly options: CheckOptions;
  /** What is hidden in everything that is reported. */
  readonly secrets: Set<string>;
  onProgress(what: string): void;
}

async function meetServer(
  { base, send, mask, time }: Pick<Session, 'base' | 'send' | 'time'> & { mask: MaskSecrets },
  options: CheckOptions,
  families: readonly ProductFamily[],
  decisions: Decisions,
): Promise<Server> {
  const { key, otherKey } = options;
  const asksOnly = reasonNotToBuy(base, options) !== undefined;
  const lists = families.map(listOf);
  const { statuses } = applyProfile(DEFAULT_SETTINGS, { version: 1, decisions });
  const target = { base, lists, refused: statuses.unauthenticated, send, mask };
  const answer = await preflight(target, key, 'the key');
  if (otherKey !== undefined) await preflight(target, otherKey, 'the other key');
  const control = createControlClient(send, base);
  // A proxy on this machine may lead to the real service, where purchases cost money.
  const buysHere = !asksOnly && options.buy !== true;
  const place = (buysHere && (await readTarget(control, key))) || base;
  const noPurchase = reasonNotToBuy(place, options);
  const sandbox = await isSandbox(control, key, lists[0] as Operation, answer);
  const isHeld = sandbox && noPurchase === undefined;
  return {
    place,
    isSandbox: sandbox,
    control,
    noPurchase,
    isHeld,
    now: dateOf(answer) ?? time.now(),
  };
}

interface Lived {
  readonly learnt: Learnt;
  readonly recordings: readonly Recording[];
  /** The calls of scenarios that were not played. */
  readonly skipped: readonly PlayedCall[];
}

/** Learns what a server sells, and plays every scenario on it. */
async function live(session: Session, families: readonly ProductFamily[]): Promise<Lived> {
  const { base, send, server, options, secrets, onProgress } = session;
  const create = () => createMerchant(server.control, options.key, (key) => secrets.add(key));
  const newcomer = server.isHeld ? await create() : undefined;
  const second = newcomer && (await create());
  const release = async () => {
    await newcomer?.release();
    await second?.release();
  };
  try {
    const run = runOf(server.now, newcomer && STARTS_AT);
    const sender = { base, key: newcomer?.key ?? options.key };
    onProgress('learns products and prices');
    const learner = {
      buys: server.noPurchase === undefined,
      purchase: purchaserOf(run),
      ask: (operation: Operation, input: object) =>
        send(requestOf(sender, operation, { input: { ...input } })),
    };
    const learnt = await learnCatalogue(learner, families, options.products ?? new Map());
    const scenarios = scenariosFor(learnt.catalogue, run).filter(({ family }) =>
      families.some(({ key }) => key === family),
    );
    const cast = async ({ needs }: Scenario): Promise<Cast> => {
      const { isSandbox: sandbox, noPurchase, isHeld, control } = server;
      const allowed = { isSandbox: sandbox, noPurchase };
      if (newcomer && needs !== 'wait') {
        await newcomer.reset();
        await second?.reset();
        return { ...allowed, merchant: newcomer, other: second };
      }
      const isOwn = isHeld && needs !== 'wait';
      const merchant = isOwn ? await holdMerchant(control, options.key) : merchantOf(options.key);
      const other = options.otherKey === undefined ? undefined : merchantOf(options.otherKey);
      return { ...allowed, merchant, other };
    };
    const played = await playAll(session, scenarios, { cast, hasClock: server.isHeld });
    return {
      learnt,
      ...played,
      skipped: [...played.skipped, ...unknownFamilies(families, learnt)],
    };
  } finally {
    await release();
  }
}

const unknownFamilies = (families: readonly ProductFamily[], { unknown }: Learnt): PlayedCall[] =>
  families.flatMap(({ key, operations }) => {
    const notAsked = unknown.get(key);
    if (notAsked === undefined) return [];
    return operations.map(({ operationId }) =>
      notAskedCall('Purchases', operationId, 'of any kind', notAsked),
    );
  });

/** Compares what the server lived with what a twin lives, learns what the provider sets, and tries to explain the rest. */
async function compare(
  { learnt, recordings }: Lived,
  decisions: Decisions,
  { base, server }: Session,
): Promise<{ played: Played; explained: Explained; notes: string[] }> {
  const playWith = (config: TwinConfig) => play(recordings, config, base, server.now);
  const tryConfig = async (config: TwinConfig) => findingsOf(await playWith(config));
  const start = { catalogue: learnt.catalogue, decisions };
  const first = await playWith(start);
  const tried = { config: start, findings: findingsOf(first) };
  const provider = await learnProvider(tried, recordings, tryConfig);
  const played = provider === tried ? first : await playWith(provider.config);
  const explained = await explain(provider, tryConfig);
  const notes = [...played.elsewhere].map(
    (origin) =>
      `Page URLs lead to ${origin}: they were followed by path and query on the address given.`,
  );
  if (provider.config.catalogue !== learnt.catalogue) {
    notes.unshift(
      "Products or commissions are the server's own: the sandbox's fixtures have others.",
    );
  }
  return { played, explained, notes };
}

/** The list of a family: it needs no input and changes nothing. */
const listOf = ({ operations }: ProductFamily): Operation =>
  operations.find(({ method, path }) => method === 'get' && !path.includes(':')) as Operation;

type Decisions = Readonly<Record<string, unknown>>;

function decisionsOf(profile: unknown): Decisions {
  if (profile === undefined) return {};
  applyProfile(DEFAULT_SETTINGS, profile);
  return (profile as { decisions: Decisions }).decisions;
}

/**
 * Why nothing is bought or renewed of the service at an address; undefined where it is. Throws where the options
 * contradict each other.
 */
function reasonNotToBuy(address: string, options: CheckOptions): string | undefined {
  const { key, otherKey, readOnly, buy, waitExpiry } = options;
  if (otherKey === key)
    throw new CheckError('The other key is the same key; it must be that of another merchant.');
  if (buy && readOnly) throw new CheckError('--buy and --read-only exclude each other.');
  const elsewhere = !(buy || isThisMachine(address));
  if (waitExpiry && (readOnly || elsewhere)) {
    const why = readOnly ? '--read-only makes none' : 'off this machine that takes --buy';
    throw new CheckError(`--wait-expiry waits for purchases to expire; ${why}.`);
  }
  if (readOnly) return '--read-only sends no purchase';
  return elsewhere ? 'nothing is bought off this machine without --buy' : undefined;
}

/** What to know of a check besides its results. */
function notesOf(
  { place, isSandbox: sandbox, noPurchase }: Server,
  { readOnly, waitExpiry }: CheckOptions,
): string[] {
  const { host } = new URL(place);
  const what = sandbox ? 'is a sandbox, but not on this machine' : 'is not this machine';
  return [
    ...(noPurchase === undefined || readOnly
      ? []
      : [`${host} ${what}: nothing was bought or renewed. --buy does that.`]),
    ...(waitExpiry && sandbox
      ? ['Nothing was waited for: the clock of the sandbox was moved.']
      : []),
  ];
}
