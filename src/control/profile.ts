/* Profiles: which assumptions they can set, and the settings that they make. */

import { z } from '@hono/zod-openapi';
import { SUCCESS_MESSAGES } from '../api/envelope.ts';
import { LIST_ORDER, LIST_SELECTION, PAGE_URLS } from '../api/pagination.ts';
import {
  AUTH_FAILURE,
  ERROR_CODE_TYPE,
  ERROR_ENVELOPE,
  httpStatusesWith,
} from '../api/refusals.ts';
import { TEXT_TRIM } from '../api/request.ts';
import { FREQUENCY_WORDS, PHONE_DIGITS } from '../api/request-forms.ts';
import { MONTH_END } from '../products/policy.ts';
import { ASSUMPTIONS, anyFamilies, operations } from '../products/world.ts';
import type { AssumptionId } from '../world/assumptions.ts';
import { printable } from '../world/printable.ts';
import { describeIssues, didYouMean, formatIssues } from '../world/problem-texts.ts';
import { anyText, type Setting, type Settings, someOf } from '../world/settings.ts';
import { TIME_ZONE } from '../world/time-zone.ts';
import { TOKEN_BOUNDARY, TOKEN_EXPIRED, TOKEN_UNKNOWN, TOKEN_USED } from '../world/tokens.ts';
import { contradictionsIn } from './contradictions.ts';
import { ControlError } from './control-error.ts';
import { operationIds } from './fields.ts';

/** The messages of all successes: a profile can set that of any operation. */
const successMessages: Setting = {
  ...SUCCESS_MESSAGES,
  allowed: Object.fromEntries(operationIds.map((operationId) => [operationId, 'any text'])),
  schema: () => someOf(operationIds, anyText),
  in: (settings) => {
    const set = SUCCESS_MESSAGES.in(settings);
    return Object.fromEntries(
      operations.map(({ operationId, envelope }) => [
        operationId,
        set[operationId] ?? envelope.message,
      ]),
    );
  },
};

/** Every setting: those that families share, and each family's own. */
const settings: readonly Setting[] = [
  LIST_ORDER,
  TOKEN_BOUNDARY,
  ERROR_CODE_TYPE,
  ERROR_ENVELOPE,
  PHONE_DIGITS,
  FREQUENCY_WORDS,
  LIST_SELECTION,
  PAGE_URLS,
  TEXT_TRIM,
  httpStatusesWith(anyFamilies.map(({ key }) => key)),
  AUTH_FAILURE,
  TOKEN_EXPIRED,
  TOKEN_UNKNOWN,
  TOKEN_USED,
  MONTH_END,
  TIME_ZONE,
  successMessages,
  ...anyFamilies.flatMap((family) => family.settings),
];

/** Every setting, by its assumption. */
export const profileOptions: Readonly<Partial<Record<AssumptionId, Setting>>> = Object.fromEntries(
  settings.map((each) => [each.id, each]),
);

const profileFile = <Decisions extends z.ZodType>(decisions: Decisions) =>
  z.strictObject({ $schema: z.string().optional(), version: z.literal(1), decisions });

/** The schema of a profile: each decision with its own values. */
export const profileSchema = (): z.ZodType => {
  const decisions = Object.entries(profileOptions).map(([id, option]) => [
    id,
    option
      .schema()
      .optional()
      .describe(ASSUMPTIONS[id as AssumptionId].question),
  ]);
  return profileFile(z.strictObject(Object.fromEntries(decisions)));
};

/**
 * Settings with the assumptions of a profile. Throws 422 on what it does not know, with what is allowed, and on values
 * that contradict each other.
 */
export function applyProfile(settings: Settings, profile: unknown): Settings {
  const parsed = profileFile(z.record(z.string(), z.unknown())).safeParse(profile);
  if (!parsed.success) refuseProfile(formatIssues(profile, parsed.error, 'the profile'));

  const problems: string[] = [];
  let applied = settings;
  for (const [id, value] of Object.entries(parsed.data.decisions)) {
    const option = Object.hasOwn(profileOptions, id)
      ? profileOptions[id as AssumptionId]
      : undefined;
    if (!option) {
      problems.push(unknownOption(id));
      continue;
    }
    const read = option.schema().safeParse(value);
    if (read.success) applied = option.set(applied, read.data);
    else problems.push(...valueProblems(id, value, option, read.error));
  }
  if (problems.length === 0) problems.push(...contradictionsIn(parsed.data.decisions));
  if (problems.length > 0) refuseProfile(problems);
  return applied;
}

function unknownOption(id: string): string {
  const ids = Object.keys(profileOptions);
  const hint = didYouMean(id, ids, '.');
  const why = Object.hasOwn(ASSUMPTIONS, id)
    ? 'this assumption has no alternatives.'
    : `unknown assumption, or one without alternatives${hint}`;
  return `decisions.${id}: ${why} Known: ${ids.join(', ')}`;
}

/** What is wrong with the value of an assumption, each with its place and with what is allowed. */
const valueProblems = (
  id: string,
  value: unknown,
  { allowed }: Setting,
  error: z.core.$ZodError,
): string[] =>
  describeIssues(value, error).map(({ path, message }) => {
    const place = ['decisions', id, ...path].join('.');
    return printable(`${place}: ${message}; allowed: ${JSON.stringify(allowed)}`);
  });

function refuseProfile(problems: readonly string[]): never {
  throw new ControlError(422, `Invalid profile: ${problems[0]}`, problems);
}
