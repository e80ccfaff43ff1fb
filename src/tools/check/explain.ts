/* Finds by trial the products, prices and profile with which a twin differs least. */

import { withoutContradictions } from '../../control/contradictions.ts';
import { profileOptions } from '../../control/profile.ts';
import { anyFamilies } from '../../products/world.ts';
import { pricesOf, type ServerCatalogue, withProduct } from '../../scenarios/catalogue.ts';
import { familyScenarios } from '../../scenarios/index.ts';
import { isObject, listAt, sameJson, valueAt, withoutPositions } from '../../scenarios/json.ts';
import { UNKNOWN_ROUTE } from '../../scenarios/shared.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import type { ErrorCode } from '../../world/errors.ts';
import { PUBLISHED } from '../../world/settings.ts';
import { instantOf, MINUTE_MS } from '../../world/time.ts';
import { createZone, type WallTime, zoneOf } from '../../world/time-zone.ts';
import { type Finding, fieldOf, isOfName, kindOf, type Located } from './differences.ts';
import { CONFLICT } from './links.ts';
import { findingsOf, type Played } from './play.ts';
import type { Recording } from './record.ts';
import type { TwinConfig } from './twin.ts';

/** Plays recordings on a twin with a configuration; all by default. */
export type Try = (config: TwinConfig, some?: ReadonlySet<Recording>) => Promise<Played>;

/** A configuration, and what a twin with it answers. */
export interface Tried {
  readonly config: TwinConfig;
  readonly played: Played;
}

/** Finds, by trial, the provider's product texts and the prices that no quote shows. */
export async function learnProvider(
  start: Tried,
  recordings: readonly Recording[],
  tryConfig: Try,
): Promise<Tried> {
  const data = dataOf(recordings);
  let best = start;
  const findings = () => findingsOf(best.played);
  const tryCatalogue = async (catalogue: ServerCatalogue): Promise<boolean> => {
    const config = { ...best.config, catalogue };
    const played = await tryConfig(config);
    const isBetter = placesOf(findingsOf(played)) < placesOf(findings());
    if (isBetter) best = { config, played };
    return isBetter;
  };
  if (findings().some(({ path }) => /\.product\./.test(path))) {
    const products = productsIn(data);
    const withAll = products.reduce<ServerCatalogue>(
      (catalogue, product) => withProduct(catalogue, product) ?? catalogue,
      best.config.catalogue,
    );
    const isLearnt = products.length > 0 && (await tryCatalogue(withAll));
    for (const product of isLearnt ? [] : products) {
      const catalogue = withProduct(best.config.catalogue, product);
      if (catalogue) await tryCatalogue(catalogue);
    }
  }
  for (const { family, pricesFrom } of familyScenarios) {
    const { catalogue } = best.config;
    if (!pricesFrom || !findings().some(({ path }) => /_commission$/.test(path))) continue;
    const prices = pricesFrom(data, pricesOf(catalogue, family));
    await tryCatalogue({ ...catalogue, records: { ...catalogue.records, [family]: prices } });
  }
  return best;
}

/** The number of distinct places and kinds of findings. A list repeats the same finding many times. */
const placesOf = (findings: readonly Located[]): number =>
  new Set(
    findings.map((found) => [found.operation, withoutPositions(found.path), kindOf(found)].join()),
  ).size;

/** The `data` of every response. */
const dataOf = (recordings: readonly Recording[]): unknown[] =>
  recordings.flatMap(({ steps }) =>
    steps.flatMap(({ answers }) => answers.map(({ body }) => valueAt(body, 'data'))),
  );

/** The maximum number of product objects to try. */
const MAX_PRODUCTS = 20;

/** The products in responses, each field with the value that most of them have. */
function productsIn(data: readonly unknown[]): unknown[] {
  const found = new Map<number, unknown[]>();
  for (const each of data) {
    for (const record of [each, ...listAt(each, 'data')]) {
      const product = valueAt(record, 'product');
      const id = Number(valueAt(product, 'id'));
      if (Number.isInteger(id)) found.set(id, [...(found.get(id) ?? []), product]);
    }
  }
  return [...found].slice(0, MAX_PRODUCTS).map(([id, products]) => {
    const fields = products.flatMap((product) => Object.entries(product as object));
    return { ...mostSeen(fields), id };
  });
}

/** A check whose twin has the values of a profile. */
export interface Explained extends Tried {
  /** The findings that are gone with these values, by assumption. */
  readonly explained: ReadonlyMap<AssumptionId, readonly Located[]>;
  /** The assumption whose value brought a finding that is there only with these values, by the finding's key. */
  readonly brought: ReadonlyMap<string, AssumptionId>;
}

/**
 * Tries other values for every contradicted assumption that a profile can set. Keeps a value only if the twin then
 * answers more alike, accepts nothing that the server refused, and refuses nothing that it accepted.
 */
export async function explain(start: Tried, tryConfig: Try): Promise<Explained> {
  const known = new Map(findingsOf(start.played).map((found) => [keyOf(found), found]));
  const gone = new Map<string, { readonly id: AssumptionId; readonly found: Located }>();
  const brought = new Map<string, AssumptionId>();
  let best = start;
  for (let isBetter = true; isBetter; ) {
    isBetter = false;
    for (const id of settable(findingsOf(best.played))) {
      // Statuses have several parts.
      for (
        let next = await bestValue(id, best, tryConfig);
        next;
        next = await bestValue(id, best, tryConfig)
      ) {
        const before = new Map(findingsOf(best.played).map((found) => [keyOf(found), found]));
        const left = new Set(findingsOf(next.played).map(keyOf));
        for (const [key, found] of before) {
          const first = known.get(key);
          // What only the value of another assumption shows is explained if it is about this one.
          const isTold = first || (found.assumptions.includes(id) && brought.get(key) !== id);
          if (isTold && !left.has(key) && !gone.has(key)) {
            gone.set(key, { id, found: first ?? found });
          }
        }
        for (const key of left) if (!before.has(key)) brought.set(key, id);
        best = next;
        isBetter = true;
      }
    }
  }
  const remaining = new Set(findingsOf(best.played).map(keyOf));
  const explained = new Map<AssumptionId, Located[]>();
  for (const key of new Set([...known.keys(), ...gone.keys()])) {
    const reason = gone.get(key);
    if (reason === undefined || remaining.has(key)) continue;
    explained.set(reason.id, [...(explained.get(reason.id) ?? []), reason.found]);
  }
  return { ...best, explained, brought };
}

/** The value of an assumption with which the twin answers most alike; undefined if none is better than the present one. */
async function bestValue(
  id: AssumptionId,
  best: Tried,
  tryConfig: Try,
): Promise<Tried | undefined> {
  const findings = findingsOf(best.played);
  const contradicting = best.played.calls.filter(({ findings: found }) =>
    found.some(({ assumptions }) => assumptions.includes(id)),
  );
  const scenarios = new Set(contradicting.flatMap(({ recording }) => recording ?? []));
  // A value cannot gain more elsewhere than in the scenarios that contradict the assumption.
  const values: { readonly config: TwinConfig; readonly most: number }[] = [];
  for (const value of candidatesFor(id, findings, best.config.decisions)) {
    const decisions = withoutContradictions({ ...best.config.decisions, [id]: value });
    const config = { ...best.config, decisions };
    values.push({ config, most: gainOf(id, best.played, await tryConfig(config, scenarios)) });
  }
  let next: (Tried & { readonly gain: number }) | undefined;
  for (const { config, most } of values.toSorted((a, b) => b.most - a.most)) {
    if (most <= (next?.gain ?? 0)) break;
    const played = await tryConfig(config);
    const gain = gainOf(id, best.played, played);
    if (gain > (next?.gain ?? 0)) next = { config, played, gain };
  }
  return next;
}

/** How much more alike a twin answers than before; 0 if less, if it takes a decision wrongly, or hides a request. */
function gainOf(id: AssumptionId, before: Played, after: Played): number {
  // Another envelope hides what differs inside it, so only the envelope counts.
  const countOf = id === 'error-envelope' ? envelopesOf : weightOf;
  const calls = new Map(before.calls.map((call) => [call.recorded, call]));
  let gain = 0;
  for (const then of after.calls) {
    const call = calls.get(then.recorded);
    if (!call || call.notAsked !== undefined) continue;
    // A twin that goes another way cannot be compared from there on.
    if (then.notAsked !== undefined) return 0;
    const isWrong = [isDecision, isConflict].some(
      (wrong) => then.findings.some(wrong) && !call.findings.some(wrong),
    );
    if (isWrong) return 0;
    gain += countOf(call.findings) - countOf(then.findings);
  }
  return Math.max(0, gain);
}

/** Whether the twin accepts what the server refuses, or the other way round. */
const isDecision = ({ path, expected }: Finding): boolean =>
  path === '$.success' && /^(true$|accepted|refused)/.test(expected);

/** Whether the server answers another record than the twin. */
const isConflict = ({ cause }: Finding): boolean => cause?.key === CONFLICT.key;

/** 1 if a refusal has another form than the twin's. */
const envelopesOf = (findings: readonly Finding[]): number =>
  Number(findings.some(({ cause }) => cause?.hides === true && cause.shown?.path === '$'));

/** How many values differ, or cannot be compared. */
const weightOf = (findings: readonly Finding[]): number =>
  findings.reduce((sum, { weight = 1 }) => sum + weight, 0);

/** Identifies a finding within a check. The form of an answer differs apart from what is in it. */
export const keyOf = (found: Located): string => {
  const { operation, scenario, shows, step, path, cause } = found;
  return JSON.stringify([
    ...[operation, scenario, shows, step, path],
    ...[cause?.hides === true, isOfName(found)],
  ]);
};

/** The contradicted assumptions that a profile can set. `error-envelope` comes first, because it hides others. */
export function settable(findings: readonly Finding[]): AssumptionId[] {
  const contradicted = new Set(findings.flatMap(({ assumptions }) => assumptions));
  const ids = (Object.keys(profileOptions) as AssumptionId[]).filter((id) => contradicted.has(id));
  return ids.toSorted((a, b) => Number(b === 'error-envelope') - Number(a === 'error-envelope'));
}

/** A finding, and the operation that showed it. */
type FoundIn = Finding & Pick<Located, 'operation'>;

/** Other values of an assumption: every allowed word, and the values in the server's responses. */
export function candidatesFor(
  id: AssumptionId,
  findings: readonly FoundIn[],
  decisions: TwinConfig['decisions'],
): unknown[] {
  const option = profileOptions[id];
  if (!option) return [];
  const contradicting = findings.filter(({ assumptions }) => assumptions.includes(id));
  const allowed: readonly unknown[] = Array.isArray(option.allowed)
    ? option.allowed
    : [option.allowed];
  const current = decisions[id];
  const values = allowed.flatMap((form): unknown[] => {
    if (id === 'time-zone') return zonesIn(contradicting, current);
    return isForm(form) ? seenValues(id, contradicting, form, current) : [form];
  });
  return values.filter(
    (value) =>
      option.schema().safeParse(value).success && !sameJson(value, current ?? option.in(PUBLISHED)),
  );
}

/** A time zone whose clocks show every date and time that was seen; without one, a zone for each offset. */
function zonesIn(contradicting: readonly FoundIn[], current: unknown): string[] {
  const zone = zoneOf({ 'time-zone': current });
  const seen = contradicting.map(({ expected, seen }) => {
    const at = zone.instantOf(wallTimeIn(expected));
    return { at, wall: wallTimeIn(seen) };
  });
  const offsets = [...new Set(seen.map(({ at, wall }) => (wall - at) / (60 * MINUTE_MS)))];
  const fixed = offsets.filter(Number.isInteger).map((hours) => {
    // The provider's own zone has a name.
    if (hours === 1) return 'Africa/Lagos';
    return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
  });
  if (offsets.length === fixed.length && fixed.length <= 1) return fixed;
  const showsAll = Intl.supportedValuesOf('timeZone').find((name) => {
    const { wallTimeOf } = createZone(name);
    return seen.every(({ at, wall }) => wallTimeOf(at) === wall);
  });
  return showsAll === undefined ? fixed : [showsAll];
}

/** What a date and time shows, as a finding tells it. */
const wallTimeIn = (told: unknown): WallTime =>
  instantOf(String(told).replaceAll('"', '').replace(' ', 'T'));

/** Whether an allowed value is an object whose values are described in words: any text, a number of some range. */
const isForm = (allowed: unknown): allowed is object =>
  typeof allowed === 'object' &&
  allowed !== null &&
  Object.values(allowed).every((value) => typeof value === 'string');

/** Objects in the form that an option allows, with values from the server's responses. */
function seenValues(
  id: AssumptionId,
  contradicting: readonly FoundIn[],
  form: object,
  current: unknown,
): unknown[] {
  if (id === 'http-status') return statusValues(contradicting, current);
  if (id === 'success-messages') {
    const seen = contradicting.map(({ operation, seen: message }) => [operation, message] as const);
    return [{ ...(current as object | undefined), ...mostSeen(seen) }];
  }
  const [field = ''] = Object.keys(form);
  const shown = contradicting.filter(
    ({ path }) => id !== 'list-selection' || fieldOf(path) === field,
  );
  return [...new Set(shown.map(({ seen }) => seen))].map((seen) => ({ [field]: seen }));
}

/** The statuses that were seen: of all refusals at once, of each kind, and of each kind in one family. */
function statusValues(contradicting: readonly FoundIn[], current: unknown): unknown[] {
  const seen = contradicting.flatMap(({ path, expected, seen: status, operation }) => {
    const code = expected.match(/\(([a-z ]+)\)/)?.[1]?.replaceAll(' ', '_');
    // For a server error, the finding contains the body too.
    const answered = valueAt(status, 'status') ?? status;
    // A path of no operation may be refused otherwise than calls without a key.
    return path === 'status' && code && operation !== UNKNOWN_ROUTE
      ? [{ code: code as ErrorCode, answered, operation }]
      : [];
  });
  if (seen.length === 0) return [];
  const statusesOf = (those: typeof seen) =>
    mostSeen(those.map(({ code, answered }) => [code, answered] as const));
  const all = statusesOf(seen);
  const families = anyFamilies.flatMap(({ key, operations }) => {
    const inFamily = seen.filter(({ operation }) =>
      operations.some(({ operationId }) => operationId === operation),
    );
    const known = valueAt(current, key);
    return Object.entries(statusesOf(inFamily)).map(([code, status]) => ({
      [key]: { ...(isObject(known) ? known : {}), [code]: status },
    }));
  });
  const parts = Object.entries(all).map(([code, status]) => ({ [code]: status }));
  return [all, ...parts, ...families].map((part) => ({ ...(current as object), ...part }));
}

/** The most frequent value of each key. */
function mostSeen(
  seen: readonly (readonly [key: string, value: unknown])[],
): Record<string, unknown> {
  const keys = new Set(seen.map(([key]) => key));
  return Object.fromEntries(
    [...keys].map((key) => {
      const values = seen.filter(([each]) => each === key).map(([, value]) => value);
      const count = (value: unknown) => values.filter((each) => each === value).length;
      return [key, values.toSorted((a, b) => count(b) - count(a))[0]];
    }),
  );
}
