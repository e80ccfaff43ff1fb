/* Finds by trial the products, prices and profile with which a twin differs least. */

import { profileOptions } from '../../control/profile.ts';
import { pricesOf, type ServerCatalogue, withProduct } from '../../scenarios/catalogue.ts';
import { familyScenarios } from '../../scenarios/index.ts';
import { listAt, sameJson, valueAt, withoutPositions } from '../../scenarios/json.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import type { ErrorCode } from '../../world/errors.ts';
import { PUBLISHED } from '../../world/settings.ts';
import type { Finding, Located } from './differences.ts';
import type { Recording } from './record.ts';
import type { TwinConfig } from './twin.ts';

/** Returns the findings of a twin with a configuration. */
export type Try = (config: TwinConfig) => Promise<readonly Located[]>;

/** A configuration, and the findings that remain with it. */
export interface Tried {
  readonly config: TwinConfig;
  readonly findings: readonly Located[];
}

/** Finds, by trial, the provider's product texts and the prices that no quote shows. */
export async function learnProvider(
  start: Tried,
  recordings: readonly Recording[],
  tryConfig: Try,
): Promise<Tried> {
  const data = dataOf(recordings);
  let best = start;
  const tryAll = async (catalogues: readonly ServerCatalogue[]): Promise<void> => {
    for (const catalogue of catalogues) {
      const config = { ...best.config, catalogue };
      const findings = await tryConfig(config);
      if (placesOf(findings) < placesOf(best.findings)) best = { config, findings };
    }
  };
  if (best.findings.some(({ path }) => /\.product\./.test(path))) {
    for (const product of productsIn(data)) {
      const catalogue = withProduct(best.config.catalogue, product);
      if (catalogue) await tryAll([catalogue]);
    }
  }
  for (const { family, pricesFrom } of familyScenarios) {
    const { catalogue } = best.config;
    if (!pricesFrom || !best.findings.some(({ path }) => /_commission$/.test(path))) continue;
    const candidates = pricesFrom(data, pricesOf(catalogue, family));
    const records = candidates.map((prices) => ({ ...catalogue.records, [family]: prices }));
    await tryAll(records.map((each) => ({ ...catalogue, records: each })));
  }
  return best;
}

/** The number of distinct places with findings. A list repeats the same finding many times. */
const placesOf = (findings: readonly Located[]): number =>
  new Set(findings.map(({ operation, path }) => `${operation} ${withoutPositions(path)}`)).size;

/** The `data` of every response. */
const dataOf = (recordings: readonly Recording[]): unknown[] =>
  recordings.flatMap(({ steps }) =>
    steps.flatMap(({ answers }) => answers.map(({ body }) => valueAt(body, 'data'))),
  );

/** The maximum number of product objects to try. */
const MAX_PRODUCTS = 20;

/** The distinct products in responses. */
function productsIn(data: readonly unknown[]): unknown[] {
  const found = new Map<string, unknown>();
  for (const each of data) {
    for (const record of [each, ...listAt(each, 'data')]) {
      const product = valueAt(record, 'product');
      if (valueAt(product, 'id') !== undefined) found.set(JSON.stringify(product), product);
    }
  }
  return [...found.values()].slice(0, MAX_PRODUCTS);
}

/** The findings of a check that a profile explains, and the rest. */
export interface Explained extends Tried {
  /** The findings that each value explains, by assumption. */
  readonly explained: ReadonlyMap<AssumptionId, readonly Located[]>;
}

/**
 * Tries other values for every contradicted assumption that a profile can set, and keeps those that reduce the number of
 * findings.
 */
export async function explain(start: Tried, tryConfig: Try): Promise<Explained> {
  const explained = new Map<AssumptionId, readonly Located[]>();
  let best = start;
  for (let isBetter = true; isBetter; ) {
    isBetter = false;
    for (const id of settable(best.findings)) {
      let next: Tried | undefined;
      for (const value of candidatesFor(id, best.findings, best.config.decisions)) {
        const config = { ...best.config, decisions: { ...best.config.decisions, [id]: value } };
        const findings = await tryConfig(config);
        const isLess = findings.length < (next ?? best).findings.length;
        if (isLess && misjudged(findings) <= misjudged(best.findings)) next = { config, findings };
      }
      if (!next) continue;
      const left = new Set(next.findings.map(keyOf));
      const gone = best.findings.filter((finding) => !left.has(keyOf(finding)));
      explained.set(id, [...(explained.get(id) ?? []), ...gone]);
      best = next;
      isBetter = true;
    }
  }
  return { ...best, explained };
}

/**
 * How many calls the twin accepts and the server refuses, or the other way round. What is missing of a refused call
 * would otherwise count as fewer differences.
 */
const misjudged = (findings: readonly Finding[]): number =>
  findings.filter(({ path }) => path === '$.success').length;

/** Identifies a finding within a check. */
export const keyOf = ({ operation, scenario, shows, path }: Located): string =>
  JSON.stringify([operation, scenario, shows, path]);

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
  const own = findings.filter(({ assumptions }) => assumptions.includes(id));
  const allowed: readonly unknown[] = Array.isArray(option.allowed)
    ? option.allowed
    : [option.allowed];
  const current = decisions[id];
  const values = allowed.flatMap((form): unknown[] =>
    isForm(form) ? seenValues(id, own, form, current) : [form],
  );
  return values.filter(
    (value) =>
      option.schema().safeParse(value).success && !sameJson(value, current ?? option.in(PUBLISHED)),
  );
}

/** Whether an allowed value is an object whose values are described in words: any text, a number of some range. */
const isForm = (allowed: unknown): allowed is object =>
  typeof allowed === 'object' &&
  allowed !== null &&
  Object.values(allowed).every((value) => typeof value === 'string');

/** Objects in the form that an option allows, with values from the server's responses. */
function seenValues(
  id: AssumptionId,
  own: readonly FoundIn[],
  form: object,
  current: unknown,
): unknown[] {
  if (id === 'http-status') {
    const seen = own.flatMap(({ path, expected, seen: status }) => {
      const code = expected.match(/\(([a-z ]+)\)/)?.[1]?.replaceAll(' ', '_');
      // For a server error, the finding contains the body too.
      const answered = valueAt(status, 'status') ?? status;
      return path === 'status' && code ? [[code as ErrorCode, answered] as const] : [];
    });
    return seen.length === 0 ? [] : [{ ...(current as object | undefined), ...mostSeen(seen) }];
  }
  if (id === 'success-messages') {
    const seen = own.map(({ operation, seen: message }) => [operation, message] as const);
    return [{ ...(current as object | undefined), ...mostSeen(seen) }];
  }
  const [field = ''] = Object.keys(form);
  return [...new Set(own.map(({ seen }) => seen))].map((seen) => ({ [field]: seen }));
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
