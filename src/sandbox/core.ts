/* Opens a sandbox as servers need it, without the methods that programs call. */

import type { Connection } from '../api/context.ts';
import type { ControlEnv, SandboxApp, ServedTools } from '../control/access.ts';
import { atCallersLine } from '../control/caller.ts';
import { momentToText, readMoment } from '../control/fields.ts';
import { changeFixtures } from '../control/fixture-change.ts';
import type { CallObserver, Host } from '../control/host.ts';
import {
  createMerchantStore,
  type MerchantStore,
  type SandboxDefaults,
} from '../control/merchant-store.ts';
import { applyProfile } from '../control/profile.ts';
import { builtInFixtures, type FixtureContents } from '../products/fixtures.ts';
import { createFamilies, type ServedFamilies } from '../products/index.ts';
import { readFixtures } from '../products/read-fixtures.ts';
import { publishedFamilies } from '../products/world.ts';
import type { Sandbox, SandboxOptions } from '../types/public.ts';
import { createTime, readTime, type TimeSource } from '../world/clock.ts';
import { disposal } from '../world/platform.ts';
import { PUBLISHED } from '../world/settings.ts';
import { sharedApp } from './app.ts';
import { createFetch } from './fetch.ts';
import {
  allowedOrigins,
  type OptionRules,
  publicUrlOf,
  readOption,
  validateOptions,
} from './options.ts';

/** A sandbox without its methods, which a server does not need. */
export interface SandboxCore {
  readonly store: MerchantStore;
  /** Aborts when the sandbox closes; everything that waits then ends. */
  readonly closing: AbortSignal;
  readonly fetch: Sandbox['fetch'];
  /** Handles a request from a connection. Throws `ConnectionLost` if the connection must be closed. */
  handle(request: Request, connection: Connection): Response | Promise<Response>;
  /** Replaces the fixtures, given by file name. Throws `FixtureError`. */
  changeFixtures(files: FixtureContents): void;
  close(): Promise<void>;
  /** Same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens a sandbox, and serves these tools with it.
 *
 * Throws `FixtureError` if fixtures are invalid, `ControlError` if an option is, and `TimeSourceError` if the `clock`
 * function returns no time.
 */
export function openCore(
  options: SandboxOptions,
  host: Host = {},
  tools: ServedTools = {},
): SandboxCore {
  validateOptions(options);
  const closing = new AbortController();
  const timeSource = timeSourceOf(options);
  const handle: SandboxCore['handle'] = (request, connection) =>
    app.fetch(request, { ...bindings, connection });
  const store = createMerchantStore(options, {
    defaults: defaultsOf(options),
    host,
    time: createTime(timeSource),
    closing: closing.signal,
    serve: handle,
  });
  if (host.observer) watchCalls(store, host.observer);
  const { families } = store.defaults;
  const app = sharedApp(families);
  /** For requests without a connection. */
  const bindings: ControlEnv['Bindings'] = {
    merchants: store,
    connection: { closing: closing.signal },
    publicUrl: publicUrlOf(options),
    cors: allowedOrigins(options),
    tools,
  };
  const close = async () => closing.abort();
  return {
    store,
    closing: closing.signal,
    fetch: timeSource
      ? atCallersLine(createFetch(throwingAtCaller(app), bindings))
      : createFetch(app, bindings),
    handle,
    changeFixtures: (files) => changeFixtures(store, files),
    close,
    ...disposal(close),
  };
}

/**
 * Throws what `openCore` throws for these options, without opening anything. The `clock` function is not asked: the
 * time may not be there yet.
 *
 * @param more rules of further options
 */
export function refuseInvalidOptions(options: SandboxOptions, more?: OptionRules): void {
  validateOptions(options, more);
  if (typeof options.clock !== 'function') defaultsOf(options);
}

function watchCalls({ activity, byId }: MerchantStore, observer: CallObserver): void {
  activity.listeners.add((happened) => {
    if (happened.kind === 'entry') observer.onCall(happened.entry, happened.merchant);
    if (happened.kind === 'world') observer.onChange(happened);
    if (happened.kind !== 'merchants' || happened.change !== 'created') return;
    const created = byId.get(happened.merchant.id);
    if (created) observer.onCreated(created);
  });
}

const timeSourceOf = ({ clock }: SandboxOptions): TimeSource | undefined =>
  typeof clock === 'function' ? clock : undefined;

/** The same app, but it throws what is wrong with the caller's `clock` function, instead of returning it as a response. */
const throwingAtCaller = (app: SandboxApp): SandboxApp => ({
  async fetch(request, env) {
    let mistake: Error | undefined;
    const throwAtCaller = (error: Error) => {
      mistake = error;
    };
    const connection = { ...env.connection, throwAtCaller };
    const response = await app.fetch(request, { ...env, connection });
    if (mistake) throw mistake;
    return response;
  },
});

function defaultsOf(options: SandboxOptions): SandboxDefaults {
  const families = familiesOf(options);
  const { now: start } = options;
  const now = start === undefined ? undefined : readMoment(momentToText(start));
  const startTime = () => now ?? readTime(createTime(timeSourceOf(options)));
  const fixtures = options.fixtures
    ? readFixtures({ ...options.fixtures }, families, startTime)
    : builtInFixtures();
  return {
    fixtures,
    clock: { now, mode: options.clock === 'frozen' ? 'frozen' : 'running' },
    seed: options.seed ?? 1,
    families,
    autoMerchants: options.autoMerchants ?? false,
  };
}

function familiesOf({ amountCheck, profile }: SandboxOptions): ServedFamilies {
  if (profile === undefined && amountCheck === undefined) return publishedFamilies;
  const settings =
    profile === undefined
      ? PUBLISHED
      : readOption('profile', () => applyProfile(PUBLISHED, profile));
  if (amountCheck === undefined) return createFamilies(settings);
  const decisions = { 'amount-check': amountCheck };
  return createFamilies(applyProfile(settings, { version: 1, decisions }));
}
