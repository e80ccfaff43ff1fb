import { applyProfile } from '../control/profile.ts';
import { DEFAULT_SETTINGS } from '../core/settings.ts';
import { anyFamilies } from '../products/world.ts';
import { createConnection, type Fetch, NoReply, type Time } from './connection.ts';
import { createAsk, openSecond, readMoment, stopClock } from './control.ts';
import { type Conversation, runProbe } from './converse.ts';
import { knock } from './knock.ts';
import { probesOf } from './probes/index.ts';
import { profileOf } from './profile-of.ts';
import { createRedact } from './redact.ts';
import type { OperationResult, ProbeResult, Report } from './report.ts';
import { CannotCheck } from './report.ts';
import { decisionResults, newTally } from './tally.ts';

export interface CheckOptions {
  /** Base address of the server. */
  readonly url: string;
  /** The merchant's key. It stands in no part of the report. */
  readonly key: string;
  /** Keys of the product families to ask; all of them unless given. */
  readonly families?: readonly string[] | undefined;
  /** Sends nothing that buys or renews. */
  readonly readOnly?: boolean | undefined;
  /** The most requests sent in a second. Without it each follows the answer before. */
  readonly rps?: number | undefined;
  /** How long to wait for each answer, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Decisions that are expected otherwise than published: the content of a profile. */
  readonly profile?: unknown;
}

export const DEFAULT_TIMEOUT_MS = 10_000;

/** Runs the contract against a server. Throws `CannotCheck` where there is nothing to compare. */
export async function check(options: CheckOptions, fetch: Fetch, time: Time): Promise<Report> {
  const { key, families, readOnly = false } = options;
  const base = baseOf(options.url);
  const settings =
    options.profile === undefined
      ? DEFAULT_SETTINGS
      : applyProfile(DEFAULT_SETTINGS, options.profile);
  const secrets = new Set([key]);
  const redact = createRedact(secrets);
  const { rps, timeout = DEFAULT_TIMEOUT_MS } = options;
  let requests = 0;
  const counted: Fetch = (request) => {
    requests += 1;
    return fetch(request);
  };
  const send = createConnection(counted, time, { rps, timeout }, redact);
  const asked = anyFamilies.filter((family) => families?.includes(family.key) ?? true);
  await knock(send, base, asked, key, settings, redact);

  const ask = createAsk(send, base);
  const controlled = (await readMoment(ask, key)) !== undefined;
  const second = controlled && !readOnly ? await openSecond(ask, key) : undefined;
  if (second) secrets.add(second.key);
  const leave = second ? await stopClock(ask, second) : undefined;

  const talk: Conversation = {
    base,
    key,
    settings,
    readOnly,
    controlled,
    send,
    ask,
    redact,
    secrets,
    second,
    memory: { run: Math.floor(time.now() / 1000).toString(36), today: time.now() },
    tally: newTally(),
    silent: 0,
  };
  const probes: ProbeResult[] = [];
  try {
    for (const family of asked) {
      for (const probe of probesOf(family, settings)) probes.push(await runProbe(talk, probe));
    }
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    throw new CannotCheck(`${redact(base)} ${error.message}; the check was given up on the way.`);
  } finally {
    await leave?.();
  }
  return redact({
    version: 1,
    url: base,
    families: asked.map((family) => family.key),
    read_only: readOnly,
    control_plane: controlled,
    requests,
    operations: operationResults(probes),
    probes,
    decisions: decisionResults(talk.tally, { readOnly, all: asked.length === anyFamilies.length }),
    ...profileOf(talk.tally),
  });
}

/** The address that paths are added to. */
function baseOf(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new CannotCheck(`"${url}" is no http or https URL.`);
  }
  const { username, password, search, hash, href } = new URL(url);
  if (username || password) throw new CannotCheck('The URL must not hold a user or a password.');
  if (search || hash) throw new CannotCheck(`${href} must end before its ? or #.`);
  return href.replace(/\/+$/, '');
}

function operationResults(probes: readonly ProbeResult[]): OperationResult[] {
  const results = new Map<string, { agrees: number; differs: number; skipped: number }>();
  for (const { operation, outcome } of probes) {
    const counts = results.get(operation) ?? { agrees: 0, differs: 0, skipped: 0 };
    counts[outcome] += 1;
    results.set(operation, counts);
  }
  return [...results].map(([operation, counts]) => ({ operation, ...counts }));
}
