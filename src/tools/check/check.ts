/* A check: plays the calls of the selected probes, reads their answers, and says what a server decides. */

import type { Operation } from '../../api/operation.ts';
import { ControlError } from '../../control/control-error.ts';
import { applyProfile } from '../../control/profile.ts';
import { ASSUMPTIONS, operations } from '../../products/world.ts';
import { didYouMean } from '../../world/problem-texts.ts';
import { PUBLISHED, type Settings } from '../../world/settings.ts';
import { Answer } from './answer.ts';
import { decisionIn, decisionsOf } from './decisions.ts';
import { createMask, showValue } from './mask.ts';
import { NotAsked, Player } from './play.ts';
import { type Case, HEADINGS, type Probe } from './probe.ts';
import { PROBES, probesOf } from './probes/index.ts';
import {
  AS_PUBLISHED,
  type AskedCall,
  allCases,
  type Place,
  type ProbeReading,
  unknown,
} from './reading.ts';
import type { ProbeResult, Report } from './report.ts';
import { CheckError, type CheckTime, createSend, type Fetch } from './send.ts';
import { type CheckAccess, findTarget } from './target.ts';
import { findViolations } from './violations.ts';

export const DEFAULT_PATIENCE_MS = 60_000;
/** How long a whole response may take. */
const TIMEOUT_MS = 10_000;

export interface CheckOptions extends CheckAccess {
  /** Probes, headings, assumptions or operations; all of them without it. */
  readonly only?: readonly string[] | undefined;
  /** The profile that the server should follow: what it says counts as published. */
  readonly profile?: unknown;
  readonly patience?: number | undefined;
  readonly timeout?: number | undefined;
  /** Called with a number of requests that grows. */
  readonly onProgress?: ((requests: number) => void) | undefined;
}

/** Checks a server. Throws `CheckError` if it cannot be checked. */
export async function check(options: CheckOptions, fetch: Fetch, time: CheckTime): Promise<Report> {
  const { key, otherKey, patience = DEFAULT_PATIENCE_MS, timeout = TIMEOUT_MS } = options;
  const settings = settingsOf(options.profile);
  const probes = selectProbes(options.only);
  const secrets = new Set([key, ...(otherKey === undefined ? [] : [otherKey])]);
  const mask = createMask(secrets);
  let requests = 0;
  const counted: Fetch = (request) => {
    requests += 1;
    options.onProgress?.(requests);
    return fetch(request);
  };
  const send = createSend(counted, time, { patience, timeout, mask });
  const means = { send, time, mask, hide: (secret: string) => secrets.add(secret) };
  const target = await findTarget(options, means);
  const player = new Player(target.ground);
  try {
    const cases = probes.flatMap((probe) => probe.cases);
    await player.play(cases.flatMap(({ needs, calls, some }) => [...needs, ...calls, ...some]));
  } finally {
    await target.release();
  }
  const silent = new Set<Operation>();
  const results: ProbeResult[] = [];
  for (const probe of probes) {
    results.push(resultOf(probe, await readingOf(probe, player, silent), settings));
  }
  const profile = { version: 1, decisions: decisionsOf(results) } as const;
  return {
    url: target.ground.base,
    requests,
    probes: results,
    violations: findViolations(player.answers, applyProfile(PUBLISHED, profile), mask),
    profile,
  };
}

/** What a profile says of everything that is published. */
function settingsOf(profile: unknown): Settings {
  if (profile === undefined) return PUBLISHED;
  try {
    return applyProfile(PUBLISHED, profile);
  } catch (error) {
    if (error instanceof ControlError) throw new CheckError(error.message);
    throw error;
  }
}

/** The probes that are asked for by their id, heading, assumption or operation. */
function selectProbes(only: readonly string[] | undefined): readonly Probe[] {
  if (!only) return PROBES;
  const operationIds = operations.map(({ operationId }) => operationId);
  const names = [
    ...PROBES.map(({ id }) => id),
    ...HEADINGS,
    ...Object.keys(ASSUMPTIONS),
    ...operationIds,
  ];
  const isOf = (probe: Probe) => (name: string) =>
    probe.id === name || probesOf(name).includes(probe.id) || operationsOf(probe).includes(name);
  for (const name of only) {
    if (PROBES.some((probe) => isOf(probe)(name))) continue;
    const why = names.includes(name)
      ? 'No probe is about'
      : 'There is no probe, heading, assumption or operation';
    throw new CheckError(`${why} "${name}"${didYouMean(name, names, '.')}`);
  }
  return PROBES.filter((probe) => only.some(isOf(probe)));
}

/** The operations that a probe judges, or those that it reads. */
const operationsOf = ({ cases }: Probe): readonly string[] =>
  cases.flatMap(({ calls, some, needs }) => {
    const judged = [...calls, ...some];
    return (judged.length > 0 ? judged : needs).map(({ operation }) => operation.operationId);
  });

/** What the answers to a probe say. */
async function readingOf(
  { cases }: Probe,
  player: Player,
  silent: Set<Operation>,
): Promise<ProbeReading> {
  const readings: ProbeReading[] = [];
  for (const each of cases) readings.push(await readingOfCase(each, player, silent));
  return allCases(readings);
}

async function readingOfCase(
  { needs, calls, some, read }: Case,
  player: Player,
  silent: Set<Operation>,
): Promise<ProbeReading> {
  try {
    const answers = [...(await player.needsOf(needs))];
    for (const call of calls) {
      const outcome = await player.outcomeOf(call);
      if (outcome instanceof Answer) answers.push(outcome);
      else if (!outcome.silent || silent.has(outcome.silent)) return unknown(outcome.reason);
      else {
        // The first probe of an operation tells that it gave no response.
        silent.add(outcome.silent);
        const at = { call, sent: {}, show: showValue };
        return { expected: 'a response', seen: outcome.message, at };
      }
    }
    const others = await Promise.all(some.map((call) => player.outcomeOf(call)));
    return read(...answers, ...others.filter((outcome) => outcome instanceof Answer));
  } catch (error) {
    if (error instanceof NotAsked) return unknown(error.message);
    // Answers may hold anything, such as a date in the year 300,000.
    if (error instanceof RangeError || error instanceof TypeError) {
      return unknown('the answer cannot be read');
    }
    throw error;
  }
}

/** Whether a reading is what the contract says, or the profile that counts instead. */
function resultOf(probe: Probe, reading: ProbeReading, settings: Settings): ProbeResult {
  const { id, about, title } = probe;
  const resultOfCall = ({ operation: { operationId: operation } }: AskedCall) => ({
    ...{ id, about, operation, title },
  });
  const [{ calls, some, needs }] = probe.cases as [Case];
  const first = resultOfCall([...calls, ...some, ...needs][0] as AskedCall);
  if (reading === AS_PUBLISHED) return { ...first, outcome: 'ok' };
  if ('unknown' in reading) return { ...first, outcome: 'not_asked', why: reading.unknown };
  const { at, ...told } =
    'decided' in reading
      ? decisionIn(reading.decided, about, settings)
      : { ...reading, outcome: 'differs' as const };
  return {
    ...resultOfCall(at.call),
    ...told,
    ...(told.outcome === 'differs' && { call: exampleCall(at) }),
  };
}

const MAX_FIELDS_LENGTH = 90;

/** What was sent, without what does not matter. */
function exampleCall(at: Place): NonNullable<ProbeResult['call']> {
  const { call, sent } = at;
  const { operation, changed, what, method, path } = call;
  const names = changed ?? (Object.keys(sent).length <= 3 ? Object.keys(sent) : []);
  const fields = names.filter((name) => sent[name] !== undefined);
  const shown = Object.fromEntries(fields.map((name) => [name, sent[name]]));
  return {
    method: (method ?? operation.method).toUpperCase(),
    path: path ?? operation.path,
    what,
    fields: fields.length > 0 ? at.show(shown, MAX_FIELDS_LENGTH) : '',
  };
}
