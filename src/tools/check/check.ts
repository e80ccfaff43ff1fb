/* Runs a check: plays the scenarios on a server, replays them on a twin, and reports the differences. */

import type { Operation } from '../../api/operation.ts';
import { applyProfile } from '../../control/profile.ts';
import { NetworkError, type Send } from '../../kit/receive.ts';
import type { ProductFamily } from '../../products/family.ts';
import { createFamilies } from '../../products/index.ts';
import {
  type Learnt,
  learnCatalogue,
  productIdsIn,
  type ServerCatalogue,
} from '../../scenarios/catalogue.ts';
import { familyScenarios } from '../../scenarios/index.ts';
import { requestOf } from '../../scenarios/requests.ts';
import { type CheckRun, type Input, isCall, type Scenario } from '../../scenarios/scenario.ts';
import { PUBLISHED } from '../../world/settings.ts';
import { walkPages } from './all-pages.ts';
import { CheckError } from './check-error.ts';
import { type CheckTime, createClient, type Fetch } from './client.ts';
import { type Explained, explain, learnProvider, type Tried } from './explain.ts';
import { createMerchant, givenMerchant, holdMerchant } from './merchants.ts';
import { withContractNames } from './names.ts';
import { type Played, type PlayedCall, play } from './play.ts';
import { type Recording, recordAll, type ScenarioMerchants } from './record.ts';
import type { Report } from './report.ts';
import { notAskedCall, resultsOf } from './results.ts';
import { createMask } from './secrets.ts';
import { baseOf, type CheckAccess, identifyServer, notesOf, type Server } from './target.ts';
import type { TwinConfig } from './twin.ts';

export interface CheckOptions extends CheckAccess {
  /** Base URL of the server. */
  readonly url: string;
  /** Keys of the product families to check; all by default. */
  readonly families?: readonly string[] | undefined;
  /** Products to buy, by family, if quotes cannot find them. */
  readonly products?: ReadonlyMap<string, number> | undefined;
  /** Maximum requests per second. Without it, each request follows the response before. */
  readonly rps?: number | undefined;
  /** How long to wait for each response, in milliseconds. */
  readonly timeout?: number | undefined;
  /** How long to wait in all for a server that limits requests or is unavailable, in milliseconds. */
  readonly patience?: number | undefined;
  /** A profile that the server should follow. */
  readonly profile?: unknown;
  /** Called with a short text about what the check is doing. */
  readonly onProgress?: ((what: string) => void) | undefined;
}

export const DEFAULT_TIMEOUT_MS = 10_000;
export const DEFAULT_PATIENCE_MS = 60_000;

/** Compares a server with the contract. Throws `CheckError` if there is nothing to compare. */
export async function check(options: CheckOptions, fetch: Fetch, time: CheckTime): Promise<Report> {
  const { key, otherKey, rps, onProgress } = options;
  const { timeout = DEFAULT_TIMEOUT_MS, patience = DEFAULT_PATIENCE_MS } = options;
  const base = baseOf(options.url);
  const decisions = decisionsOf(options.profile);
  const secrets = new Set([key, ...(otherKey === undefined ? [] : [otherKey])]);
  const mask = createMask(secrets);
  let requests = 0;
  const counted: Fetch = (request) => {
    requests += 1;
    return fetch(request);
  };
  const send = createClient(counted, time, { rps, timeout, patience }, mask);
  const { all } = createFamilies(applyProfile(PUBLISHED, { version: 1, decisions }));
  const families = all.filter((family) => options.families?.includes(family.key) ?? true);
  const target = { base, lists: families.map(listOf), send, mask };
  const server = await identifyServer(target, options, time);
  const session: Session = {
    ...server,
    base,
    send,
    time,
    options,
    secrets,
    onProgress: onProgress ?? (() => undefined),
  };
  try {
    const playedScenarios = await playScenarios(session, families);
    session.onProgress('comparing the responses');
    const { played, explained, notes } = await compare(playedScenarios, decisions, session);
    return mask({
      version: 3 as const,
      url: base,
      families: families.map((family) => family.key),
      read_only: server.noPurchase !== undefined,
      control_plane: server.isSandbox,
      requests,
      notes: [...notesOf(server, options), ...playedScenarios.learnt.notes, ...notes],
      ...resultsOf(played.calls, playedScenarios.others, explained, decisions, mask),
    });
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw new CheckError(`${mask(base)} ${error.message}; the check could not finish.`);
  }
}

/** A running check. */
interface Session extends Server {
  readonly base: string;
  readonly send: Send;
  readonly time: CheckTime;
  readonly options: CheckOptions;
  /** Keys to hide in everything that is reported. */
  readonly secrets: Set<string>;
  onProgress(what: string): void;
}

interface PlayedScenarios {
  readonly learnt: Learnt;
  readonly recordings: readonly Recording[];
  /** Requests that belong to no played scenario. */
  readonly others: readonly PlayedCall[];
}

/** Reads the server's products and prices, and plays every scenario on it. */
async function playScenarios(
  session: Session,
  families: readonly ProductFamily[],
): Promise<PlayedScenarios> {
  const { base, send, control, options, secrets, onProgress } = session;
  const create = () => createMerchant(control, options.key, (key) => secrets.add(key));
  const newcomer = session.hasClock ? await create() : undefined;
  const second = newcomer && (await create());
  try {
    const run: CheckRun = {
      run: Math.floor(session.now / 1000).toString(36),
      today: new Date(newcomer?.startsAt ?? session.now).toISOString().slice(0, 10),
    };
    const sender = { base, key: newcomer?.key ?? options.key };
    onProgress('reading products and prices');
    const learner = {
      buys: session.noPurchase === undefined,
      run,
      ask: async (operation: Operation, input: Input) =>
        withContractNames(operation, await send(requestOf(sender, operation, { input }))),
    };
    const own = familyScenarios.filter(({ family }) => families.some(({ key }) => key === family));
    const learnt = await learnCatalogue(
      families.map(({ key }) => key),
      {
        learn: async (key, id) => own.find(({ family }) => family === key)?.learn(learner, id),
        listed: async (key) => {
          const family = families.find((each) => each.key === key) as ProductFamily;
          return productIdsIn((await learner.ask(listOf(family), {})).body);
        },
      },
      options.products ?? new Map(),
    );
    const merchantsFor = async ({ needs }: Scenario): Promise<ScenarioMerchants> => {
      if (newcomer && needs !== 'wait') {
        await newcomer.reset();
        await second?.reset();
        return { merchant: newcomer, other: second };
      }
      const { key, otherKey } = options;
      const isHeld = session.hasClock && needs !== 'wait';
      const merchant = isHeld ? await holdMerchant(control, key) : givenMerchant(key);
      return { merchant, other: otherKey === undefined ? undefined : givenMerchant(otherKey) };
    };
    const { recordings, skipped } = await recordAll(
      { ...session, waitExpiry: options.waitExpiry === true, merchantsFor },
      own.flatMap(({ scenarios }) => scenarios(learnt.catalogue, run)),
    );
    const notPlayed = skipped.flatMap(({ scenario: { name, steps }, reason }) =>
      steps
        .filter(isCall)
        .map(({ operation, shows }) => notAskedCall(name, operation.operationId, shows, reason)),
    );
    const unknown = families.flatMap(({ key, operations }) => {
      const reason = learnt.unknown.get(key);
      if (reason === undefined) return [];
      return operations.map(({ operationId }) =>
        notAskedCall('Purchases', operationId, 'of any kind', reason),
      );
    });
    const walked: PlayedCall[] = [];
    for (const list of session.hasClock ? [] : families.map(listOf)) {
      onProgress(`reading all pages of ${list.operationId}`);
      walked.push(...(await walkPages(list, (input) => learner.ask(list, input))));
    }
    return { learnt, recordings, others: [...notPlayed, ...unknown, ...walked] };
  } finally {
    await newcomer?.release();
    await second?.release();
  }
}

/** Replays the recordings on a twin, takes over the provider's values, and tries to explain the remaining differences. */
async function compare(
  { learnt, recordings }: PlayedScenarios,
  decisions: Decisions,
  { base, now }: Session,
): Promise<{ played: Played; explained: Explained; notes: string[] }> {
  const tryConfig = (config: TwinConfig, some?: ReadonlySet<Recording>) =>
    play(
      recordings.filter((each) => some?.has(each) ?? true),
      config,
      base,
      now,
    );
  const trying = async (catalogue: ServerCatalogue) => {
    const config = { catalogue, decisions };
    return { config, played: await tryConfig(config) };
  };
  const learn = (tried: Tried) => learnProvider(tried, recordings, tryConfig);
  let provider = await learn(await trying(learnt.catalogue));
  let explained = await explain(provider, tryConfig);
  // Another order of lists may hide records, and their prices with them.
  const { catalogue } = (await learn(explained)).config;
  if (catalogue !== provider.config.catalogue) {
    provider = await trying(catalogue);
    explained = await explain(provider, tryConfig);
  }
  const { played } = provider;
  const notes = [...played.elsewhere].map(
    (origin) =>
      `Page URLs point to ${origin}. The check followed their path and query on the given URL.`,
  );
  if (provider.config.catalogue !== learnt.catalogue) {
    notes.unshift(
      "Products or commissions differ from the sandbox's fixtures. The check used the server's.",
    );
  }
  return { played, explained, notes };
}

/** The list operation of a family: it requires no input and changes nothing. */
const listOf = ({ operations }: ProductFamily): Operation =>
  operations.find(({ method, path }) => method === 'get' && !path.includes(':')) as Operation;

type Decisions = Readonly<Record<string, unknown>>;

function decisionsOf(profile: unknown): Decisions {
  if (profile === undefined) return {};
  applyProfile(PUBLISHED, profile);
  return (profile as { decisions: Decisions }).decisions;
}
