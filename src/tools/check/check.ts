/* A check: plays the calls of the selected probes, reads their answers, and says what a server decides. */

import type { Operation } from '../../api/operation.ts';
import { withoutContradictions } from '../../control/contradictions.ts';
import { ControlError } from '../../control/control-error.ts';
import { applyProfile, profileOptions } from '../../control/profile.ts';
import { ASSUMPTIONS, operations } from '../../products/world.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import { nearest } from '../../world/problem-texts.ts';
import { PUBLISHED, type Setting, type Settings } from '../../world/settings.ts';
import { Answer, type ProbeCall } from './call.ts';
import { CheckError } from './check-error.ts';
import { createMask, type Mask } from './mask.ts';
import { Player, reasonOf } from './play.ts';
import { HEADINGS, type Probe } from './probe.ts';
import { PROBES, probesOf } from './probes/index.ts';
import {
  deviationsIn,
  expectedFor,
  isContrary,
  merged,
  type ValuePart,
  wholeOf,
  withoutRepeats,
} from './profile-values.ts';
import {
  AS_PUBLISHED,
  type Decision,
  differs,
  NOT_SHOWN,
  type ProbeReading,
  type SeenValue,
  unknown,
  Words,
  words,
} from './reading.ts';
import type { ProbeResult, Report } from './report.ts';
import { type CheckTime, createSend, type Fetch } from './send.ts';
import { type CheckAccess, findTarget } from './target.ts';
import { showValue } from './text.ts';
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
    await player.play(probes.flatMap(({ needs, calls, some }) => [...needs, ...calls, ...some]));
  } finally {
    await target.release();
  }
  const told = new Set<Operation>();
  const results: ProbeResult[] = [];
  for (const probe of probes) {
    results.push(resultOf(probe, await readingOf(probe, player, told), settings, mask));
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
    const meant = nearest(name, names);
    const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
    const why = names.includes(name)
      ? 'No probe is about'
      : 'There is no probe, heading, assumption or operation';
    throw new CheckError(`${why} "${name}"${hint || '.'}`);
  }
  return PROBES.filter((probe) => only.some(isOf(probe)));
}

/** The operations that a probe judges, or those that it reads. */
const operationsOf = ({ calls, some, needs }: Probe): readonly string[] => {
  const judged = [...calls, ...some];
  return (judged.length > 0 ? judged : needs).map(({ operation }) => operation.operationId);
};

type Example = Answer | ProbeCall | undefined;

/** What the answers to a probe say, and an example of its calls. */
async function readingOf(
  probe: Probe,
  player: Player,
  told: Set<Operation>,
): Promise<readonly [ProbeReading, Example]> {
  const { needs, calls, some } = probe;
  const example = [...calls, ...some, ...needs][0];
  const needed = await player.needsOf(needs);
  if ('why' in needed) return [unknown(needed.why), example];
  const judged: Answer[] = [];
  for (const call of calls) {
    const outcome = await player.outcomeOf(call);
    if (outcome instanceof Answer) judged.push(outcome);
    else if (!outcome.isSilent || told.has(call.operation)) {
      return [unknown(reasonOf(call, outcome)), example];
    } else {
      // The first probe of an operation tells that it gave no response.
      told.add(call.operation);
      return [differs(words('a response'), words(outcome.why)), example];
    }
  }
  const outcomes = await Promise.all(some.map((call) => player.outcomeOf(call)));
  const answered = outcomes.filter((outcome) => outcome instanceof Answer);
  const [reason] = outcomes.flatMap((outcome, place) =>
    outcome instanceof Answer ? [] : [reasonOf(some[place] as ProbeCall, outcome)],
  );
  const isUnanswered = judged.length + answered.length === 0;
  const read =
    isUnanswered && reason !== undefined
      ? NOT_SHOWN
      : readSafely(probe, [...needed.answers, ...judged, ...answered]);
  const reading = read === NOT_SHOWN && reason !== undefined ? unknown(reason) : read;
  return [reading, judged[0] ?? answered[0] ?? example];
}

/** A reading of answers that may hold anything. */
function readSafely({ read }: Probe, answers: readonly Answer[]): ProbeReading {
  try {
    return read(...answers);
  } catch (error) {
    // Such as a date in the year 300,000.
    if (error instanceof RangeError || error instanceof TypeError) {
      return unknown('the answer cannot be read');
    }
    throw error;
  }
}

/** Whether a reading is what the contract says, or the profile that counts instead. */
function resultOf(
  { id, about, title }: Probe,
  [reading, example]: readonly [ProbeReading, Example],
  settings: Settings,
  mask: Mask,
): ProbeResult {
  const resultAt = (at: Example) => ({
    ...{ id, about, title },
    operation: (at instanceof Answer ? at.call : at)?.operation.operationId ?? null,
  });
  if (reading === AS_PUBLISHED) return { ...resultAt(example), outcome: 'ok' };
  if ('unknown' in reading) {
    return { ...resultAt(example), outcome: 'not_asked', why: reading.unknown };
  }
  if ('decided' in reading) {
    const { at, ...decision } = decisionIn(reading.decided, optionOf(about), settings, mask);
    return { ...resultAt(at), ...decision };
  }
  const { value, expected, at = example, isSerious } = reading;
  return {
    ...resultAt(at),
    outcome: 'differs',
    ...{ expected: shown(expected, mask), seen: shown(value, mask) },
    ...(isSerious && { isSerious }),
    ...(at && { call: exampleCall(at, mask) }),
  };
}

type DecisionResult = Omit<ProbeResult, 'id' | 'about' | 'operation' | 'title'>;

/** What a server decides, held against the published value or that of a profile. */
function decisionIn(
  seen: Decision['decided'],
  option: Setting | undefined,
  settings: Settings,
  mask: Mask,
): DecisionResult & { readonly at: Answer } {
  const due = option?.in(settings);
  const isOdd = ([value]: SeenValue) => deviationsIn(due, value).length > 0;
  const [value, at] = seen.find(isOdd) ?? (seen[0] as SeenValue);
  const odd = { at, outcome: 'differs', call: exampleCall(at, mask) } as const;
  const contrary = seen.find(([other]) => isContrary(value, other));
  if (contrary) {
    const elsewhere = `${shown(value, mask)} here, ${shown(contrary[0], mask)} elsewhere`;
    return { ...odd, expected: shown(expectedFor(due, value), mask), seen: elsewhere };
  }
  const whole = merged(seen.map(([part]) => part));
  // Such as a sentence of ours: no profile can set it.
  if (option?.schema().safeParse(whole).success !== true) {
    return { ...odd, expected: shown(due, mask), seen: shown(whole, mask) };
  }
  const setting = withoutRepeats(whole);
  const deviations = deviationsIn(due, whole);
  if (deviations.length === 0) return { at, outcome: 'ok', setting };
  // Only the parts that differ are shown, such as one message of fifteen.
  const parts = wholeOf(deviations);
  return {
    ...{ ...odd, setting, deviation: withoutRepeats(parts) },
    ...{ expected: shown(expectedFor(due, parts), mask), seen: shown(parts, mask) },
  };
}

const optionOf = (about: string): Setting | undefined =>
  Object.hasOwn(profileOptions, about) ? profileOptions[about as AssumptionId] : undefined;

/** The values that were read and are not as published, as a profile has them. */
function decisionsOf(results: readonly ProbeResult[]): Readonly<Record<string, unknown>> {
  const parts = results.flatMap(({ about, setting }) =>
    setting === undefined
      ? []
      : deviationsIn(optionOf(about)?.in(PUBLISHED), setting).map(
          ([path, part]): ValuePart => [[about, ...path], part],
        ),
  );
  const decisions = Object.entries(wholeOf(parts) as object);
  return withoutContradictions(
    Object.fromEntries(decisions.map(([about, value]) => [about, withoutRepeats(value)])),
  );
}

/** A value of a server, or a sentence of ours, in which a probe has masked what the server wrote. */
const shown = (value: unknown, mask: Mask): string =>
  value instanceof Words ? value.text : showValue(withoutRepeats(value), undefined, mask);

const MAX_FIELDS_LENGTH = 90;

/** What was sent, without what does not matter. */
function exampleCall(example: Answer | ProbeCall, mask: Mask): NonNullable<ProbeResult['call']> {
  const call = example instanceof Answer ? example.call : example;
  const { method, path } = call.operation;
  const sent = example instanceof Answer ? example.sent : {};
  const named = call.changed ?? (Object.keys(sent).length <= 3 ? Object.keys(sent) : []);
  const fields = named.flatMap((field) =>
    sent[field] === undefined ? [] : [[field, sent[field]] as const],
  );
  return {
    method: (call.method ?? method).toUpperCase(),
    path: call.path ?? path,
    what: call.what,
    fields:
      fields.length === 0 ? '' : showValue(Object.fromEntries(fields), MAX_FIELDS_LENGTH, mask),
  };
}
