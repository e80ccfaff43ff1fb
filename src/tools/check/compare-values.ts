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
  finding,
  isInData,
  missingField,
  subjectOf,
  UNKNOWN_FIELD,
  unknownField,
} from './differences.ts';
import {
  differsInForm,
  formOf,
  hasDecimals,
  isMoment,
  isNumeric,
  leavesOf,
  minutesBetween,
  sameMeaning,
  zoneOfForm,
} from './forms.ts';
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
  /** Whether the request selects a record of its list. */
  isSelected?(record: unknown): boolean;
  /** Called with what is wrong with a record that the check did not buy. */
  addOfOthers?(finding: Finding): void;
  /** Called if a list contains a record of the check. */
  listsOwn?(): void;
  /** Called with the assumptions behind a value that agrees. */
  agrees?(assumptions: readonly AssumptionId[]): void;
  /** Called with the origin of page URLs that point to another host. */
  elsewhere(origin: string): void;
}

/** Compares two values, neither of which is compared field by field. */
export function compareValues(
  schema: Schema | undefined,
  twin: unknown,
  server: unknown,
  path: string,
  assumptions: readonly AssumptionId[],
  context: Comparison,
): void {
  const issued = schema && metaOf(schema)['x-issued'];
  const agrees =
    issued && twin !== null && server !== null
      ? typeof server === typeof twin &&
        (issued.form === undefined || issued.form.test(String(server))) &&
        (typeof server !== 'number' || (Number.isInteger(server) && server > 0))
      : sameValue(twin, server, context);
  if (agrees) {
    context.agrees?.(assumptions);
    return;
  }
  const add = (about: readonly AssumptionId[], cause: Cause) => {
    const expected = expectedAt(schema, twin, context);
    // The server's values are the same whatever the twin is tried with.
    const weight = leavesOf(typeof server === 'object' && server !== null ? server : twin);
    context.add({ ...finding(path, expected, server, about), cause, weight });
  };
  const field = subjectOf(path);
  if (typeof twin === 'string' && typeof server === 'string') {
    if (twin !== server && twin.trim() === server) {
      add(['text-trim'], causeOf('white space'));
      return;
    }
    const rewriting = rewritingOf(twin, server);
    if (rewriting !== undefined && !issued) {
      add([], causeOf(rewriting));
      return;
    }
  }
  const isIssued = issued && twin !== null && server !== null;
  if (isOtherZone(twin, server)) {
    add(['time-zone'], causeOf('time zone'));
    return;
  }
  if (isIssued || !differsInForm(twin, server)) {
    const about = isIssued ? ofForm(assumptions) : ofValue(assumptions);
    add(about, isIssued ? formOfIssued(field, issued, server === null) : ofMeaning(field, about));
    return;
  }
  const forms = [formOf(twin), formOf(server)] as const;
  const isTime = forms.every(isMoment);
  const isPrecision = forms.every((each) => each.startsWith('a timestamp'));
  const isZone = isPrecision && zoneOfForm(forms[0]) !== zoneOfForm(forms[1]);
  const about = isTime && (isZone || !isPrecision) ? [] : ofForm(assumptions);
  const form = formOfField(field, ...forms, assumptions);
  // Without the list around them, no records are compared.
  add(about, path === '$.data' ? { ...form, hides: true } : form);
  if (!sameMeaning(twin, server, context.slackMs)) {
    add(ofValue(assumptions), ofMeaning(field, ofValue(assumptions)));
  }
}

/** The dates of a record follow one rule; another value is a matter of its field. */
const ofMeaning = (field: string, about: Ids): Cause =>
  causeOf('value', about[0]?.endsWith('-dates') ? about[0] : [field, about]);

/** Numbers and tokens under one name are issued in one way. */
const formOfIssued = (
  field: string,
  { says }: { readonly says?: string },
  isNull: boolean,
): Cause => causeOf('form', field, says, isNull);

/** Timestamps are written in one way everywhere, days in one way for each rule; another type is a matter of its field. */
const formOfField = (field: string, due: string, server: string, about: Ids): Cause => {
  const forms = [due, server];
  if (forms.every((form) => form.startsWith('a timestamp'))) {
    return causeOf('form', 'a timestamp', zoneOfForm(due) !== zoneOfForm(server));
  }
  if (hasDecimals(due) && isNumeric(server)) return causeOf('form', 'decimals');
  if (forms.every(isMoment)) {
    return causeOf('form', ...forms, about.find((id) => id.endsWith('-dates')) ?? field);
  }
  return causeOf('form', field, server.startsWith('digits') ? 'digits' : server);
};

/** Whether a date and time without a zone is some quarters of an hour from the twin's. */
function isOtherZone(twin: unknown, server: unknown): boolean {
  if (![twin, server].every((each) => formOf(each) === 'a date and time')) return false;
  const minutes = minutesBetween(twin, server);
  return minutes !== 0 && minutes % 15 === 0 && Math.abs(minutes) <= MAX_OFFSET_MINUTES;
}

const MAX_OFFSET_MINUTES = 14 * 60;

/** How a server rewrites texts; undefined if it says something else. */
function rewritingOf(twin: string, server: string): string | undefined {
  if (/^https?:/.test(twin)) return undefined;
  if (twin.toUpperCase() === server) return 'in capitals';
  if (twin.toLowerCase() === server) return 'in lower case';
  if (twin.charAt(0).toUpperCase() + twin.slice(1) === server) return 'with a capital';
  if (NATIONAL.test(twin) && server.replace(/[ -]/g, '').endsWith(twin.slice(1))) {
    return 'as international numbers';
  }
  const unescaped = server.replace(/&(amp|lt|gt|quot|#0?39);/g, (_, name) => ENTITIES[name] ?? "'");
  return unescaped === twin ? 'escaped for HTML' : undefined;
}

/** A phone number without its country. */
const NATIONAL = /^0\d{10}$/;

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
export const isOnlyForm = (id: AssumptionId): boolean => ONLY_FORM.test(id);
export const ofValue = (ids: Ids): Ids => ids.filter((id) => !isOnlyForm(id));

/** What the server should have returned. */
export function expectedAt(
  schema: Schema | undefined,
  twin: unknown,
  { links }: Comparison,
): string {
  const issued = schema && twin !== null ? metaOf(schema)['x-issued'] : undefined;
  if (issued) return issued.says ?? (typeof twin === 'number' ? 'a whole number' : 'a string');
  return showValue(typeof twin === 'string' ? links.translate(twin) : twin);
}

function sameValue(twin: unknown, server: unknown, context: Comparison): boolean {
  if (typeof twin !== 'string' || typeof server !== 'string') return sameJson(twin, server);
  if (twin === server) return true;
  if (twin.startsWith(context.base) && /^https?:\/\//.test(server))
    return sameUrl(twin, server, context);
  if (context.slackMs > 0 && isWritten(twin) && patternOf(twin) === patternOf(server)) {
    return Math.abs(momentOf(twin) - momentOf(server)) <= context.slackMs;
  }
  return context.links.translate(twin) === server;
}

const isWritten = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.000000Z)?$/.test(text);
const patternOf = (text: string): string => text.replace(/\d/g, '0');
const momentOf = (text: string): number => instantOf(text.replace(' ', 'T'));
/** The two responses to a request may be written in different seconds. */
export const WRITING_SLACK_MS = 2 * SECOND_MS;

/** Compares page URLs by path and query. Host and order of parameters do not count. */
function sameUrl(twin: string, server: string, { base, elsewhere }: Comparison): boolean {
  const [a, b] = [parseUrl(twin), parseUrl(server)];
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
    const server = valueAt(body, issue.path.map(String).join('.'));
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const at = pathInside(place, key);
        const extra = valueAt(server, key);
        return { ...finding(at, UNKNOWN_FIELD, extra), cause: unknownField(at, extra === null) };
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
    const weight = leavesOf(server);
    const difference = finding(place, expected, server, assumptions);
    return [{ ...difference, weight, ...formCause(inside, place, server) }];
  });
}

/** The cause of a value whose form its schema does not allow, and the assumptions that it contradicts. */
function formCause(
  schema: Schema | undefined,
  place: string,
  server: unknown,
): Partial<Pick<Finding, 'cause' | 'assumptions'>> {
  if (!schema || !isInData(place)) return {};
  const about = metaOf(schema)['x-assumptions'] ?? [];
  if (server === undefined) {
    const isNullable = z.safeParse(schema, null).success;
    return { cause: missingField(place, isNullable), assumptions: ofShape(about) };
  }
  const issued = metaOf(schema)['x-issued'];
  if (issued) {
    const cause = formOfIssued(subjectOf(place), issued, false);
    return { cause, assumptions: ofForm(about) };
  }
  const example = SAMPLES.find((each) => z.safeParse(schema, each).success);
  const [due, form] = [formOf(example), formOf(server)];
  if (due === form) return {};
  const isOfDay = isMoment(form) && !form.startsWith('a timestamp');
  return {
    cause: formOfField(subjectOf(place), due, form, about),
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
