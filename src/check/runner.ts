import { applyProfile } from '../control/profile.ts';
import type { Settings } from '../core/settings.ts';
import type { ProductFamily } from '../products/family.ts';
import { anyFamilies, DEFAULT_SETTINGS } from '../products/world.ts';
import { valueAt } from './assertions.ts';
import {
  buildRequest,
  createClient,
  type Fetch,
  NetworkError,
  type ReceivedResponse,
  type Send,
  type Time,
} from './client.ts';
import { listOf } from './contract.ts';
import { createControlClient, createSecond, freezeClock, readClock } from './control-client.ts';
import { assumptionResults, createCoverage } from './coverage.ts';
import { observedProfile } from './observed-profile.ts';
import { probesOf } from './probes/index.ts';
import { operationResults, type ProbeResult, type Report, truncateLine } from './report.ts';
import { type ProbeContext, runProbe } from './run-probe.ts';
import { createMask, type MaskSecrets } from './secrets.ts';

export interface CheckOptions {
  /** Base address of the server. */
  readonly url: string;
  /** The merchant's key. It stands in no part of the report. */
  readonly key: string;
  /** Keys of the product families to ask; all of them unless given. */
  readonly families?: readonly string[] | undefined;
  /** Sends nothing that buys or renews. */
  readonly readOnly?: boolean | undefined;
  /** The most requests sent in a second. Without it each follows the response before. */
  readonly rps?: number | undefined;
  /** How long to wait for each response, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Assumptions that are expected to be taken otherwise than published: the content of a profile. */
  readonly profile?: unknown;
}

export const DEFAULT_TIMEOUT_MS = 10_000;

/** The check can not be made: one line says of which address and why. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
}

/** Runs the contract against a server. Throws `CheckError` where there is nothing to compare. */
export async function check(options: CheckOptions, fetch: Fetch, time: Time): Promise<Report> {
  const { key, rps, readOnly = false, timeout = DEFAULT_TIMEOUT_MS } = options;
  const base = baseOf(options.url);
  const settings =
    options.profile === undefined
      ? DEFAULT_SETTINGS
      : applyProfile(DEFAULT_SETTINGS, options.profile);
  const secrets = new Set([key]);
  const mask = createMask(secrets);
  let requests = 0;
  const counted: Fetch = (request) => {
    requests += 1;
    return fetch(request);
  };
  const send = createClient(counted, time, { rps, timeout }, mask);
  const families = anyFamilies.filter((family) => options.families?.includes(family.key) ?? true);
  await preflight(send, base, families, key, settings, mask);

  const control = createControlClient(send, base);
  const controlled = (await readClock(control, key)) !== undefined;
  const second = controlled && !readOnly ? await createSecond(control, key) : undefined;
  if (second) secrets.add(second.key);
  const restore = second && (await freezeClock(control, second));
  const now = time.now();
  const context: ProbeContext = {
    base,
    key,
    settings,
    readOnly,
    controlled,
    send,
    control,
    mask,
    secrets,
    second,
    memory: { run: Math.floor(now / 1000).toString(36), today: now },
    coverage: createCoverage(),
    unanswered: 0,
  };
  const probes: ProbeResult[] = [];
  try {
    for (const family of families) {
      for (const probe of probesOf(family, settings)) probes.push(await runProbe(context, probe));
    }
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
    read_only: readOnly,
    control_plane: controlled,
    requests,
    operations: operationResults(probes),
    probes,
    decisions: assumptionResults(context.coverage, { readOnly, all }),
    ...observedProfile(context.coverage),
  });
}

/** The address that paths are added to. Throws `CheckError` on what is none. */
export function baseOf(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new CheckError(`"${url}" is no http or https URL.`);
  }
  const { username, password, search, hash, href } = new URL(url);
  if (username || password) throw new CheckError('The URL must not hold a user or a password.');
  if (search || hash) throw new CheckError(`${href} must end before its ? or #.`);
  return href.replace(/\/+$/, '');
}

/** Asks for one list before anything else: is this a server that speaks the contract, and is the key good? */
async function preflight(
  send: Send,
  base: string,
  [family]: readonly ProductFamily[],
  key: string,
  settings: Settings,
  mask: MaskSecrets,
): Promise<void> {
  const refuse = (why: string): never => {
    throw new CheckError(mask(`${base} ${why}.`));
  };
  const request = buildRequest(base, listOf(family as ProductFamily), key, {}) as Request;
  let response: ReceivedResponse;
  try {
    response = await send(request);
  } catch (error) {
    if (error instanceof NetworkError) return refuse(error.message);
    throw error;
  }
  const { status, headers, text, body } = response;
  if (status >= 300 && status < 400) {
    refuse(
      `redirects to ${headers.get('location') ?? 'nowhere'}; give --url the address it leads to`,
    );
  }
  const message = valueAt(body, 'message') ?? valueAt(body, 'response_message');
  const refusals = [401, 403, settings.statuses.unauthenticated];
  const failed = status >= 400 || valueAt(body, 'success') === false;
  if (failed && refusals.includes(status)) {
    const why = typeof message === 'string' ? `: "${truncateLine(mask(message))}"` : '';
    refuse(`refuses the key with ${status}${why}`);
  }
  if (text === '') refuse(`answers ${status} with nothing in it, where JSON was expected`);
  if (body === undefined) {
    const html =
      /^\s*<(!doctype|html)/i.test(text) || /html/.test(headers.get('content-type') ?? '');
    const what = html ? 'HTML' : 'something';
    refuse(`answers ${status} with ${what} that is not JSON: ${truncateLine(mask(text))}`);
  }
}
