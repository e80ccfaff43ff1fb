import type { Connection, SandboxBindings } from './api/context.ts';
import { sharedApp } from './app.ts';
import { rejectingAtCaller } from './control/caller.ts';
import { momentToText, parseMoment } from './control/fields.ts';
import { changeFixtures } from './control/fixture-change.ts';
import type { SandboxDefaults } from './control/fresh-world.ts';
import type { Host } from './control/host.ts';
import { createMerchantStore, type MerchantStore } from './control/merchant-store.ts';
import { applyProfile } from './control/profile.ts';
import { createFetch } from './fetch.ts';
import { readOption, validateOptions } from './options.ts';
import {
  assertNotInFuture,
  builtInFixtures,
  type FixtureFiles,
  readFixtures,
} from './products/fixtures.ts';
import { DEFAULT_SETTINGS } from './products/world.ts';
import type { Sandbox, SandboxOptions } from './public.ts';
import { disposal } from './world/platform.ts';
import type { Settings } from './world/settings.ts';

/** What answers: a sandbox without the methods of its control plane, which a server has no need of. */
export interface SandboxCore {
  readonly store: MerchantStore;
  /** Aborts when the sandbox closes: whatever waits then ends. */
  readonly closing: AbortSignal;
  readonly fetch: Sandbox['fetch'];
  /** Answers a request that came over a connection. Throws `ConnectionLost` where that is to end. */
  handle(request: Request, connection: Connection): Response | Promise<Response>;
  /** Goes on with other fixtures, by file name. Throws `FixtureError`; answers what to know of the change. */
  changeFixtures(files: FixtureFiles): readonly string[];
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Throws `FixtureError` for fixtures, and `ControlError` for options, that can't be served, and `TimeSourceError`
 * where the source of its time answers no moment.
 */
export function openCore(options: SandboxOptions, host: Omit<Host, 'closing'> = {}): SandboxCore {
  validateOptions(options);
  const closing = new AbortController();
  const { publicUrl, cors, adminToken, maxMerchants, redact, clock } = options;
  const timeSource = typeof clock === 'function' ? clock : undefined;
  const store = createMerchantStore(
    defaultsOf(options),
    { publicUrl, cors, adminToken, maxMerchants, redact, timeSource },
    { ...host, closing: closing.signal },
  );
  const app = sharedApp(store.settings);
  /** Of a request that came over no connection. */
  const bindings: SandboxBindings = { merchants: store, connection: { closing: closing.signal } };
  const close = async () => closing.abort();
  const refusalReason = () => (closing.signal.aborted ? CLOSED : undefined);
  return {
    store,
    closing: closing.signal,
    fetch: timeSource
      ? rejectingAtCaller(createFetch((request) => fetchOrThrow(request, bindings), refusalReason))
      : createFetch((request) => app.fetch(request, bindings), refusalReason),
    handle: (request, connection) => app.fetch(request, { merchants: store, connection }),
    changeFixtures: (files) => changeFixtures(store, readFixtures(files)),
    close,
    ...disposal(close),
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
