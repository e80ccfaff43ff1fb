import { applyProfile } from '../control/profile.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '../core/time.ts';
import { anyFamilies, DEFAULT_SETTINGS } from '../products/world.ts';
import { createClient, type Fetch, NetworkError, type Time } from './client.ts';
import { listOf } from './contract.ts';
import {
  createControlClient,
  createSecond,
  freezeClock,
  isSandbox,
  readTarget,
} from './control-client.ts';
import { createCoverage } from './coverage.ts';
import type { Probe } from './probe.ts';
import { probesOf } from './probes/index.ts';
import type { Report } from './report.ts';
import { resultsOf } from './results.ts';
import { type ProbeContext, type ProbeRun, runProbe } from './run-probe.ts';
import { createMask } from './secrets.ts';
import { baseOf, CheckError, preflight } from './target.ts';
import { isThisMachine } from './this-machine.ts';

export interface CheckOptions {
  /** Base address of the server. */
  readonly url: string;
  /** The merchant's key. It stands in no part of the report. */
  readonly key: string;
  /** The key of another merchant, which must see nothing of the first one's. */
  readonly otherKey?: string | undefined;
  /** Keys of the product families to ask; all of them unless given. */
  readonly families?: readonly string[] | undefined;
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
  /** Assumptions that are expected to be taken otherwise than published: the content of a profile. */
  readonly profile?: unknown;
  /** Told what the check is at, in a few words. */
  readonly onProgress?: ((what: string) => void) | undefined;
}

export const DEFAULT_TIMEOUT_MS = 10_000;

/** Runs the contract against a server. Throws `CheckError` where there is nothing to compare. */
export async function check(options: CheckOptions, fetch: Fetch, time: Time): Promise<Report> {
  const {
    key,
    otherKey,
    rps,
    timeout = DEFAULT_TIMEOUT_MS,
    onProgress = () => undefined,
  } = options;
  const base = baseOf(options.url);
  const asksOnly = whyNoPurchase(base, options) !== undefined;
  const settings =
    options.profile === undefined
      ? DEFAULT_SETTINGS
      : applyProfile(DEFAULT_SETTINGS, options.profile);
  const secrets = new Set([key, ...(otherKey === undefined ? [] : [otherKey])]);
  const mask = createMask(secrets);
  let requests = 0;
  const counted: Fetch = (request) => {
    requests += 1;
    return fetch(request);
  };
  const send = createClient(counted, time, { rps, timeout }, mask);
  const families = anyFamilies.filter((family) => options.families?.includes(family.key) ?? true);
  const list = listOf(families[0] as (typeof families)[number]);
  const target = { base, list, settings, send, mask };
  const answer = await preflight(target, key, 'the key');
  if (otherKey !== undefined) await preflight(target, otherKey, 'the other key');

  const control = createControlClient(send, base);
  // Money is where a proxy leads to, not where it stands.
  const buysHere = !asksOnly && options.buy !== true;
  const place = (buysHere && (await readTarget(control, key))) || base;
  const noPurchase = whyNoPurchase(place, options);
  const controlled = await isSandbox(control, key, list, answer);
  const buys = noPurchase === undefined;
  const second = controlled && buys ? await createSecond(control, key) : undefined;
  if (second) secrets.add(second.key);
  const restore = second && (await freezeClock(control, second));
  const now = time.now();
  const context: ProbeContext = {
    base,
    key,
    otherKey,
    settings,
    noPurchase,
    controlled,
    time,
    send,
    control,
    mask,
    secrets,
    notes: new Set(notesOf(place, options, { buys, controlled })),
    second,
    memory: { run: Math.floor(now / 1000).toString(36), today: now, settings },
    answeredAt: new Map(),
    coverage: createCoverage(),
    unanswered: 0,
  };
  const waits = options.waitExpiry === true && !controlled;
  const probes = families.flatMap((family) => probesOf(family, settings, { waits }));
  let runs: ProbeRun[];
  try {
    runs = await runAll(context, probes, onProgress);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw new CheckError(`${mask(base)} ${error.message}; the check was given up on the way.`);
  } finally {
    await restore?.();
  }
  const all = families.length === anyFamilies.length;
  return mask({
    version: 1,
    url: base,
    families: families.map((family) => family.key),
    read_only: !buys,
    control_plane: controlled,
    requests,
    notes: [...context.notes],
    ...resultsOf(context, runs, all),
  });
}

/**
 * Why nothing is bought or renewed of the service at an address; undefined where it is. Throws where the options
 * contradict each other.
 */
function whyNoPurchase(address: string, options: CheckOptions): string | undefined {
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
  address: string,
  { readOnly, waitExpiry }: CheckOptions,
  { buys, controlled }: { readonly buys: boolean; readonly controlled: boolean },
): string[] {
  const { host } = new URL(address);
  const what = controlled ? 'is a sandbox, but not on this machine' : 'is not this machine';
  return [
    ...(buys || readOnly
      ? []
      : [`${host} ${what}: nothing was bought or renewed. --buy does that.`]),
    ...(waitExpiry && controlled
      ? ['Nothing was waited for: the clock of the sandbox was moved.']
      : []),
  ];
}

/** Sends the probes: first those that time has to pass after, last those that wait for it. */
async function runAll(
  context: ProbeContext,
  probes: readonly Probe[],
  onProgress: (what: string) => void,
): Promise<ProbeRun[]> {
  const runs: ProbeRun[] = [];
  const run = async (some: readonly Probe[]): Promise<void> => {
    for (const probe of some) {
      await waitUntil(context, dueAt(context, probe), onProgress);
      const { operationId } = probe.operation;
      onProgress(`${runs.length + 1} of ${probes.length}  ${operationId} ${probe.name}`);
      runs.push(await runProbe(context, probe));
    }
  };
  await run(probes.filter(({ early }) => early));
  await run(probes.filter(({ early, after }) => !early && !after));
  const late = probes.filter(({ after }) => after);
  await run(late.toSorted((a, b) => dueAt(context, a) - dueAt(context, b)));
  return runs;
}

/** When a probe may be sent, by the clock of this check; at once where nothing has to pass, or nothing was saved. */
function dueAt({ answeredAt }: ProbeContext, { after }: Probe): Instant {
  return (after && (answeredAt.get(after.saved) ?? Number.NaN) + after.ms) || 0;
}

async function waitUntil(
  { time }: ProbeContext,
  at: Instant,
  onProgress: (what: string) => void,
): Promise<void> {
  for (let left = at - time.now(); left > 0; left = at - time.now()) {
    const seconds = Math.ceil(left / SECOND_MS);
    const rest = String(seconds % (MINUTE_MS / SECOND_MS)).padStart(2, '0');
    onProgress(`waits ${Math.floor(seconds / 60)}:${rest} more for tokens to expire`);
    await time.wait(Math.min(left, SECOND_MS));
  }
}
