import { type Json, sameJson, valueAt } from './assertions.ts';
import type { Finding, Held } from './outcomes.ts';

/** A probe that was sent, and what it showed. */
export interface Sent {
  readonly operation: string;
  /** The fields it sent. */
  readonly input: unknown;
  /** The data of its success. */
  readonly data: Json;
  readonly findings: readonly Finding[];
  readonly held: readonly Held[];
}

/** What a probe is to blame for, and why it is not for the rest. */
export interface Blame {
  readonly findings: readonly Finding[];
  /** Of the findings that another call is to blame for, why. */
  readonly reason?: string;
}

interface Told {
  readonly sent: Sent;
  readonly finding: Finding;
  readonly place: string;
}

/**
 * Puts each finding on the call that differs, and takes it from those that only show it again: that answer the
 * very same wrong value, that were compared with it, or that asked with it. Where two calls disagree and a third
 * sides with one of them, the one that stands alone is to blame.
 */
export function assignBlame(all: readonly Sent[]): ReadonlyMap<Sent, Blame> {
  const outvoted = findOutvoted(all);
  const blames = new Map<Sent, Blame>();
  const told = new Map<string, Told[]>();
  for (const sent of all) {
    const own: Finding[] = [];
    let reason: string | undefined;
    for (const finding of sent.findings) {
      const place = placeOf(finding.path);
      const other = outvoted.blamed.get(finding) ?? shownBefore(told, { sent, finding, place });
      if (other)
        reason ??= `follows from what ${other.sent.operation} answered at ${other.finding.path}`;
      else {
        own.push(finding);
        told.set(place, [...(told.get(place) ?? []), { sent, finding, place }]);
      }
    }
    const moved = outvoted.findings.get(sent) ?? [];
    blames.set(sent, {
      findings: [...own, ...moved],
      ...(reason !== undefined && { reason }),
    });
  }
  return blames;
}

/** What later calls ask with: a wrong one makes their answers others too. */
const isHandle = (place: string): boolean => /(^|\.)(token|policy_no|policy_number)$/.test(place);

/** What an earlier call is to blame for already. `told` is by place. */
function shownBefore(
  told: ReadonlyMap<string, readonly Told[]>,
  { sent, finding, place }: Told,
): Told | undefined {
  if (finding.unknownField) return undefined;
  const isEarlier = (before: Told): boolean =>
    before.sent.operation !== sent.operation && isInData(before.finding.path);
  const repeated = told.get(place)?.find((before) => {
    const { seen } = before.finding;
    if (!isEarlier(before) || !isInData(finding.path) || seen === undefined) return false;
    return sameJson(finding.seen, seen) || sameJson(finding.value, seen);
  });
  if (repeated) return repeated;
  const handles = [...told].filter(([each]) => isHandle(each)).flatMap(([, each]) => each);
  return handles.find((before) => {
    const { seen } = before.finding;
    if (!isEarlier(before) || typeof seen !== 'string') return false;
    return Object.values(sent.input ?? {}).includes(seen) || finding.expected.includes(seen);
  });
}

const isInData = (path: string): boolean => /^\$\.data[.[]/.test(path);

/** What only holds a record: the same field of it stands at the top elsewhere. */
const CONTAINERS = new Set(['data', 'subscriptions']);

/**
 * A field, and what of a record it belongs to: `product.name`, wherever the record stands. A merchant's id has two
 * names.
 */
function placeOf(path: string): string {
  const names = path.match(/[A-Za-z_]\w*/g) ?? [];
  return names
    .slice(-2)
    .filter((name, n, { length }) => n === length - 1 || !CONTAINERS.has(name))
    .join('.')
    .replace(/^merchant_user_id$/, 'merchant_id');
}

interface Outvoted {
  /** Findings of calls that are right, and what is to blame. */
  readonly blamed: Map<Finding, Told>;
  /** What calls are to blame for besides what was found in them. */
  readonly findings: Map<Sent, Finding[]>;
}

/** Calls whose answer two others contradict in the same way, and nothing supports. */
function findOutvoted(all: readonly Sent[]): Outvoted {
  const outvoted: Outvoted = { blamed: new Map(), findings: new Map() };
  const groups = disagreements(all);
  const answers = groups.length > 0 ? indexAnswers(all) : new Map();
  for (const against of groups) {
    const [{ finding, place }] = against as [Told, ...Told[]];
    const { value, seen } = finding;
    const others = new Set(against.map(({ sent }) => sent.operation));
    const given: readonly Answer[] = answers.get(answerKey(place, value)) ?? [];
    const source = given.find(({ sent }) => !others.has(sent.operation));
    if (!source || supporters(all, place, value).size > 0) continue;
    for (const operation of supporters(all, place, seen)) others.add(operation);
    others.delete(source.sent.operation);
    if (others.size < 2) continue;
    const { sent, path } = source;
    const assumptions = [...new Set(against.flatMap((each) => each.finding.assumptions))];
    const expected = `${JSON.stringify(seen)}, as ${[...others].join(' and ')} say`;
    const blame = { path, expected, seen: value, assumptions };
    outvoted.findings.set(sent, [...(outvoted.findings.get(sent) ?? []), blame]);
    for (const each of against) outvoted.blamed.set(each.finding, { sent, finding: blame, place });
  }
  return outvoted;
}

/** Findings that say the same of the same place: what was expected there, and what was seen. */
function disagreements(all: readonly Sent[]): readonly (readonly Told[])[] {
  const groups = new Map<string, Told[]>();
  for (const sent of all) {
    for (const finding of sent.findings) {
      const { path, value, seen } = finding;
      if (!isInData(path) || value === undefined || seen === undefined) continue;
      const place = placeOf(path);
      const key = JSON.stringify([place, value, seen]);
      groups.set(key, [...(groups.get(key) ?? []), { sent, finding, place }]);
    }
  }
  return [...groups.values()];
}

/** The calls that were seen to say this where they had to. */
function supporters(all: readonly Sent[], place: string, value: unknown): Set<string> {
  const found = all.filter(({ held }) =>
    held.some((each) => placeOf(each.path) === place && sameJson(each.value, value)),
  );
  return new Set(found.map(({ operation }) => operation));
}

interface Answer {
  readonly sent: Sent;
  readonly path: string;
}

type Answers = ReadonlyMap<string, readonly Answer[]>;

const answerKey = (place: string, value: unknown): string => `${place} ${JSON.stringify(value)}`;

/** Every value that was answered, by its place and itself. */
function indexAnswers(all: readonly Sent[]): Answers {
  const answers = new Map<string, Answer[]>();
  const visit = (sent: Sent, value: Json, path: string): void => {
    if (typeof value !== 'object' || value === null) {
      const key = answerKey(placeOf(path), value);
      const before = answers.get(key);
      if (before) before.push({ sent, path });
      else answers.set(key, [{ sent, path }]);
      return;
    }
    for (const [key, held] of Object.entries(value)) {
      visit(sent, held, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
    }
  };
  for (const sent of all) visit(sent, sent.data, '$.data');
  return answers;
}

/** What is remembered of an answer: where it is known to be wrong, what it should have said. */
export function corrected(data: Json, findings: readonly Finding[]): Json {
  const copy = structuredClone({ data });
  for (const { path, value, disputed } of findings) {
    if (value === undefined || disputed || !isInData(path)) continue;
    const keys = path.match(/[A-Za-z_]\w*|\d+/g) ?? [];
    const last = keys.pop() as string;
    const parent = valueAt(copy, keys.join('.'));
    const isRecord = typeof parent === 'object' && parent !== null && !Array.isArray(parent);
    if (isRecord) parent[last] = value;
  }
  return copy.data;
}
