import type { Connection, SandboxBindings } from './api/context.ts';
import { sharedApp } from './app.ts';
import { applyProfile } from './control/assumptions.ts';
import { rejectingAtCaller, withCallerStack } from './control/caller.ts';
import { parseMoment } from './control/clock.ts';
import { ControlError } from './control/control-error.ts';
import { changeFixtures } from './control/fixture-change.ts';
import type { SandboxDefaults } from './control/fresh-world.ts';
import { createHandle, createMerchantFrom, momentToText } from './control/handle.ts';
import type { Host } from './control/host.ts';
import {
  listSandboxJournal,
  type SandboxEntry,
  SandboxJournalQuery,
  watchCalls,
} from './control/journal-all.ts';
import { jsonRoundTrip, parseInput } from './control/json.ts';
import {
  createMerchantStore,
  fullReason,
  isFull,
  type MerchantAccount,
  type MerchantStore,
} from './control/merchant-store.ts';
import { listAccounts, resetAll } from './control/merchants.ts';
import { dumpSandbox, loadSandbox } from './control/sandbox-state.ts';
import { MAX_SNAPSHOT_DEPTH } from './control/snapshot.ts';
import { createFetch } from './fetch.ts';
import { readOption, validateOptions } from './options.ts';
import {
  assertNotInFuture,
  builtInFixtures,
  type FixtureFiles,
  readFixtures,
} from './products/fixtures.ts';
import { DEFAULT_SETTINGS } from './products/world.ts';
import type { Merchant, Sandbox, SandboxOptions } from './public.ts';
import { atOnce } from './world/clock.ts';
import { disposal } from './world/platform.ts';
import { truncate } from './world/problem-texts.ts';
import type { Settings } from './world/settings.ts';

/** A sandbox with what a server needs to answer over a socket, and to keep its state. */
export interface OpenSandbox {
  readonly sandbox: Sandbox;
  readonly store: MerchantStore;
  /** Aborts when the sandbox closes: whatever waits then ends. */
  readonly closing: AbortSignal;
  /** Answers a request that came over a connection. Throws `ConnectionLost` where that is to end. */
  handle(request: Request, connection: Connection): Response | Promise<Response>;
  /** Goes on with other fixtures, by file name. Throws `FixtureError`; answers what to know of the change. */
  changeFixtures(files: FixtureFiles): readonly string[];
}

/**
 * Throws `FixtureError` for fixtures, and `ControlError` for options, that can't be served, and `TimeSourceError`
 * where the source of its time answers no moment.
 */
export function openSandbox(
  options: SandboxOptions,
  host: Omit<Host, 'closing'> = {},
): OpenSandbox {
  validateOptions(options);
  const closing = new AbortController();
  const { publicUrl, cors, adminToken, maxMerchants, redact, clock, onCall } = options;
  const timeSource = typeof clock === 'function' ? clock : undefined;
  const store = createMerchantStore(
    defaultsOf(options),
    { publicUrl, cors, adminToken, maxMerchants, redact, timeSource },
    { ...host, closing: closing.signal },
  );
  if (onCall) watchCalls(store.activity, onCall as (entry: SandboxEntry) => unknown);
  const app = sharedApp(store.settings);
  /** Of a request that came over no connection. */
  const bindings: SandboxBindings = { merchants: store, connection: { closing: closing.signal } };

  const handles = new WeakMap<MerchantAccount, Merchant>();
  const handleOf = (merchant: MerchantAccount): Merchant => {
    const handle = handles.get(merchant) ?? createHandle(store, merchant);
    handles.set(merchant, handle);
    return handle;
  };
  const close = async () => closing.abort();
  const refusalReason = () => (closing.signal.aborted ? CLOSED : undefined);
  const sandbox: Sandbox = {
    fetch: timeSource
      ? rejectingAtCaller(createFetch((request) => fetchOrThrow(request, bindings), refusalReason))
      : createFetch((request) => app.fetch(request, bindings), refusalReason),
    ...withCallerStack<Omit<Sandbox, 'fetch' | 'close' | typeof Symbol.asyncDispose>>({
      createMerchant: (wanted = {}) => handleOf(createMerchantFrom(store, wanted)),
      merchant: (apiKey) => {
        if (typeof apiKey !== 'string') {
          throw new ControlError(
            422,
            `merchant takes the key of a merchant, a text; got ${truncate(apiKey)}.`,
          );
        }
        const merchant = store.authenticate(`Bearer ${apiKey}`) && store.byKey.get(apiKey);
        if (!merchant) {
          const why = store.defaults.autoMerchants && isFull(store) ? ` ${fullReason(store)}` : '';
          throw new ControlError(404, `No merchant has the key "${apiKey}".${why}`);
        }
        return handleOf(merchant);
      },
      merchants: () => listAccounts(store).map(handleOf),
      journal: ((query: unknown = {}) =>
        listSandboxJournal(store, parseInput(SandboxJournalQuery, query))) as Sandbox['journal'],
      resetAll: () => resetAll(store),
      dump: () => dumpSandbox(store),
      load: (state) => atOnce(loadSandbox(store, jsonRoundTrip(state, MAX_SNAPSHOT_DEPTH))),
    }),
    close,
    ...disposal(close),
  };
  return {
    sandbox,
    store,
    closing: closing.signal,
    handle: (request, connection) => app.fetch(request, { merchants: store, connection }),
    changeFixtures: (files) => changeFixtures(store, readFixtures(files)),
  };
}

const CLOSED = 'The sandbox is closed.';

/** Answers a program that gave the sandbox its time: it is thrown what is wrong with that. */
async function fetchOrThrow(request: Request, bindings: SandboxBindings): Promise<Response> {
  let mistake: Error | undefined;
  const throwAtCaller = (error: Error) => {
    mistake = error;
  };
  const connection = { ...bindings.connection, throwAtCaller };
  const response = await sharedApp(bindings.merchants.settings).fetch(request, {
    ...bindings,
    connection,
  });
  if (mistake) throw mistake;
  return response;
}

function defaultsOf(options: SandboxOptions): SandboxDefaults {
  const fixtures = options.fixtures ? readFixtures(options.fixtures) : builtInFixtures();
  const { now: start } = options;
  const now =
    start === undefined
      ? undefined
      : readOption('now', () => parseMoment(momentToText(start), 'now'));
  if (now !== undefined) assertNotInFuture(fixtures, now);
  return {
    fixtures,
    clock: { now, mode: options.clock === 'frozen' ? 'frozen' : 'running' },
    seed: options.seed ?? 1,
    settings: settingsOf(options),
    autoMerchants: options.autoMerchants ?? false,
  };
}

function settingsOf({ amountCheck, profile }: SandboxOptions): Settings {
  const settings =
    profile === undefined
      ? DEFAULT_SETTINGS
      : readOption('profile', () => applyProfile(DEFAULT_SETTINGS, profile));
  if (amountCheck === undefined) return settings;
  return applyProfile(settings, { version: 1, decisions: { 'amount-check': amountCheck } });
}
