/* Compares single values, by their form and by what they say, and bodies with their schemas alone. */

import { z } from '@hono/zod-openapi';
import { pathInside, sameJson, showValue, valueAt } from '../../scenarios/json.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import { parseUrl } from '../../world/platform.ts';
import { describeExpected } from '../../world/problem-texts.ts';
import { instantOf, SECOND_MS } from '../../world/time.ts';
import {
  type Cause,
  causeOf,
  type Finding,
  fieldOf,
  finding,
  isInData,
  missingField,
  UNKNOWN_FIELD,
  unknownField,
} from './differences.ts';
import { differsInForm, formOf, isMoment, leavesOf, sameMeaning } from './forms.ts';
import type { Links } from './links.ts';
import { assumptionsIn, type Inside, insideOf, metaOf, type Schema } from './schemas.ts';

/** Context of a comparison. */
export interface Comparison {
  readonly operation: string;
  readonly links: Links;
  /** How far times of the server may be from the twin's, in milliseconds. */
  readonly slackMs: number;
  /** The base of the twin's page URLs. */
  readonly base: string;
  /** Whether to check only the form of fields that the provider sets. */
  readonly isProviderFree?: true;
  /** Whether to link records that the twin does not know with placeholders. */
  readonly namesOthers?: boolean;
  /** Whether the server's lists contain only records that the twin has. */
  readonly isExclusive: boolean;
  add(finding: Finding): void;
  /** Called with the assumptions behind a value that agrees. */
  agrees?(assumptions: readonly AssumptionId[]): void;
  /** Called with the origin of page URLs that point to another host. */
  elsewhere(origin: string): void;
}

/** Compares two values, neither of which is compared field by field. */
export function compareValues(
  schema: Schema | undefined,
  own: unknown,
  seen: unknown,
  path: string,
  assumptions: readonly AssumptionId[],
  context: Comparison,
): void {
  const issued = schema && metaOf(schema)['x-issued'];
  const agrees =
    issued && own !== null && seen !== null
      ? typeof seen === typeof own &&
        (issued.form === undefined || issued.form.test(String(seen))) &&
        (typeof seen !== 'number' || (Number.isInteger(seen) && seen > 0))
      : sameValue(own, seen, context);
  if (agrees) {
    context.agrees?.(assumptions);
    return;
  }
  const add = (about: readonly AssumptionId[], cause: Cause) => {
    const expected = expectedAt(schema, own, context);
    const weight = typeof own === 'object' ? leavesOf(own) : 1;
    context.add({ ...finding(path, expected, seen, about), cause, weight });
  };
  // All page URLs follow one rule.
  const field = fieldOf(path).replace(/^(first|last|next|prev)_page_url$/, 'page_url');
  if (typeof own === 'string' && typeof seen === 'string') {
    if (own !== seen && own.trim() === seen) {
      add(['text-trim'], causeOf('white space'));
      return;
    }
    const rewriting = rewritingOf(own, seen);
    if (rewriting !== undefined && !issued) {
      add([], causeOf(rewriting));
      return;
    }
  }
  const isIssued = issued && own !== null && seen !== null;
  if (isIssued || !differsInForm(own, seen)) {
    const about = isIssued ? ofForm(assumptions) : ofValue(assumptions);
    add(about, causeOf(isIssued ? 'form' : 'value', field, about, seen === null));
    return;
  }
  const forms = [formOf(own), formOf(seen)] as const;
  const isTime = forms.every(isMoment);
  const isPrecision = forms.every((each) => each.startsWith('a timestamp'));
  const about = isTime && !isPrecision ? [] : ofForm(assumptions);
  add(about, formOfField(field, ...forms));
  if (!sameMeaning(own, seen, context.slackMs)) {
    add(ofValue(assumptions), causeOf('value', field, ofValue(assumptions)));
  }
}

/** Moments are written in one way everywhere; another type is a matter of its field. */
const formOfField = (field: string, due: string, seen: string): Cause =>
  isMoment(due) && isMoment(seen)
    ? causeOf('form', due, seen)
    : causeOf('form', field, seen.startsWith('digits') ? 'digits' : seen);

/** How a server rewrites texts; undefined if it says something else. */
function rewritingOf(own: string, seen: string): string | undefined {
  if (/^https?:/.test(own)) return undefined;
  if (own.toUpperCase() === seen) return 'in capitals';
  if (own.toLowerCase() === seen) return 'in lower case';
  const unescaped = seen.replace(/&(amp|lt|gt|quot|#0?39);/g, (_, name) => ENTITIES[name] ?? "'");
  return unescaped === own ? 'escaped for HTML' : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/* Assumptions are named after what they are about. */

/** The assumptions that a missing field can contradict; all others are about its value. */
const ABOUT_SHAPE = /-(envelope|items|response|initiate-token|defaults)$/;
/** The assumptions that the type of a value, or how it is written, can contradict. */
const ABOUT_FORM =
  /-(type|format|precision|slug|duration|make|make-model|policy-number|user)$|^policy-no$|^subscriptions-key$/;
/** The assumptions that only the form of a value can contradict. */
const ONLY_FORM = /^token-|-id-type$|-precision$|^subscriptions-key$/;

type Ids = readonly AssumptionId[];
export const ofShape = (ids: Ids): Ids => ids.filter((id) => ABOUT_SHAPE.test(id));
const ofForm = (ids: Ids): Ids => ids.filter((id) => ABOUT_FORM.test(id));
const ofValue = (ids: Ids): Ids => ids.filter((id) => !ONLY_FORM.test(id));

/** What the server should have returned. */
export function expectedAt(
  schema: Schema | undefined,
  own: unknown,
  { links }: Comparison,
): string {
  const issued = schema && own !== null ? metaOf(schema)['x-issued'] : undefined;
  if (issued) return issued.says ?? (typeof own === 'number' ? 'a whole number' : 'a string');
  return showValue(typeof own === 'string' ? links.translate(own) : own);
}

function sameValue(own: unknown, seen: unknown, context: Comparison): boolean {
  if (typeof own !== 'string' || typeof seen !== 'string') return sameJson(own, seen);
  if (own === seen) return true;
  if (own.startsWith(context.base) && /^https?:\/\//.test(seen)) return sameUrl(own, seen, context);
  if (context.slackMs > 0 && isWritten(own) && patternOf(own) === patternOf(seen)) {
    return Math.abs(momentOf(own) - momentOf(seen)) <= context.slackMs;
  }
  return context.links.translate(own) === seen;
}

const isWritten = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.000000Z)?$/.test(text);
const patternOf = (text: string): string => text.replace(/\d/g, '0');
const momentOf = (text: string): number => instantOf(text.replace(' ', 'T'));
/** The two responses to a request may be written in different seconds. */
export const WRITING_SLACK_MS = 2 * SECOND_MS;

/** Compares page URLs by path and query. Host and order of parameters do not count. */
function sameUrl(own: string, seen: string, { base, elsewhere }: Comparison): boolean {
  const [a, b] = [parseUrl(own), parseUrl(seen)];
  if (!a || !b) return false;
  const path = a.pathname.slice(new URL(base).pathname.replace(/\/$/, '').length);
  const query = (url: URL) => JSON.stringify([...url.searchParams].toSorted());
  if (!b.pathname.endsWith(path) || query(a) !== query(b)) return false;
  if (a.origin !== b.origin || a.pathname !== b.pathname) elsewhere(b.origin);
  return true;
}

/** Checks a body, or a part of it, against its schema only. */
export function formFindings(schema: Schema, body: unknown, path: string): Finding[] {
  const { issues = [] } = z.safeParse(schema, body).error ?? {};
  return issues.flatMap((issue): Finding[] => {
    const place = issue.path.reduce<string>(
      (to, key) => pathInside(to, key as string | number),
      path,
    );
    const seen = valueAt(body, issue.path.map(String).join('.'));
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const at = pathInside(place, key);
        return { ...finding(at, UNKNOWN_FIELD, valueAt(seen, key)), cause: unknownField(at) };
      });
    }
    let assumptions: readonly AssumptionId[] = [];
    let inside: Schema | undefined = schema;
    for (const key of issue.path) {
      const { shape, element }: Inside = insideOf(inside);
      inside = typeof key === 'number' ? element : shape?.[String(key)];
      assumptions = assumptionsIn(inside, assumptions);
    }
    const [fixed] = (inside && issue.code === 'custom' && metaOf(inside).examples) || [];
    const expected = fixed === undefined ? describeExpected(issue) : JSON.stringify(fixed);
    const weight = leavesOf(seen);
    const told = finding(place, expected, seen, assumptions);
    return [{ ...told, weight, ...formCause(inside, place, seen) }];
  });
}

/** The cause of a value whose form its schema does not allow, and the assumptions that it contradicts. */
function formCause(
  schema: Schema | undefined,
  place: string,
  seen: unknown,
): Partial<Pick<Finding, 'cause' | 'assumptions'>> {
  if (!schema || !isInData(place)) return {};
  const about = metaOf(schema)['x-assumptions'] ?? [];
  if (seen === undefined) {
    const isNullable = z.safeParse(schema, null).success;
    return { cause: missingField(place, isNullable), assumptions: ofShape(about) };
  }
  if (metaOf(schema)['x-issued']) {
    return {
      cause: causeOf('form', fieldOf(place), ofForm(about), false),
      assumptions: ofForm(about),
    };
  }
  const example = SAMPLES.find((each) => z.safeParse(schema, each).success);
  const [due, form] = [formOf(example), formOf(seen)];
  if (due === form) return {};
  const isOfDay = isMoment(form) && !form.startsWith('a timestamp');
  return {
    cause: formOfField(fieldOf(place), due, form),
    assumptions: isOfDay ? [] : ofForm(about),
  };
}

/** A value of each form. */
const SAMPLES = [
  '2026-01-31T10:00:00.000000Z',
  '2026-01-31 10:00:00',
  '2026-01-31',
  '7.00',
  7,
  true,
  'x',
];
