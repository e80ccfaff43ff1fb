import { z } from '@hono/zod-openapi';
import { ASSUMPTIONS, anyFamilies, operations } from '../products/world.ts';
import type { AssumptionId } from '../world/assumptions.ts';
import type { ErrorCode } from '../world/errors.ts';
import { formatIssues, nearest } from '../world/problem-texts.ts';
import { recordOf } from '../world/record-of.ts';
import {
  type ProfileOption,
  profileOption,
  type Settings,
  SHARED_SETTINGS,
} from '../world/settings.ts';
import { ControlError } from './control-error.ts';
import { operationIds } from './fields.ts';

const LIST_ORDERS = ['oldest-first', 'newest-first'] as const;
const TOKEN_BOUNDARIES = ['exclusive', 'inclusive'] as const;
const PAGE_URLS = ['keep', 'drop'] as const;
const TEXT_TRIMS = ['keep', 'trim'] as const;
const USED_TOKENS = ['used', 'expired', 'unknown'] as const;
const ERROR_CODE_TYPES = ['by-family', 'string', 'integer'] as const;
const ERROR_ENVELOPES = ['envelope', 'laravel'] as const;
const PHONE_DIGITS = ['eleven', 'any'] as const;
const FREQUENCY_WORDS = ['exact', 'any-case'] as const;
const ERROR_CODES = Object.keys(SHARED_SETTINGS.statuses) as ErrorCode[];

const anyText = () => z.string().regex(/\S/);

/** Any of these keys, each with such a value. */
const someOf = <Key extends string, Value extends z.ZodType>(
  keys: readonly Key[],
  value: () => Value,
) =>
  z
    .strictObject(Object.fromEntries(keys.map((key) => [key, value()])) as Record<Key, Value>)
    .partial();

// 200 too: some services refuse with a success of HTTP, and let the body say it.
const refusalStatus = () =>
  z.int().refine((status) => status === 200 || (status >= 400 && status <= 599), {
    error: '200, or 400 to 599',
  });

const messageSchema = () => z.strictObject({ message: anyText() });

const messageOption = (key: 'unauthenticated' | 'tokenExpired' | 'tokenUnknown') =>
  profileOption(
    { message: 'any text' },
    messageSchema,
    ({ messages }) => ({ message: messages[key] }),
    (settings, { message }) => ({
      ...settings,
      messages: { ...settings.messages, [key]: message },
    }),
  );

/** Every assumption that a profile can set: those that families share, and each family's own. */
export const profileOptions: Readonly<Partial<Record<AssumptionId, ProfileOption>>> = Object.assign(
  {
    'list-order': profileOption(
      LIST_ORDERS,
      () => z.enum(LIST_ORDERS),
      ({ listOrder }) => listOrder,
      (settings, listOrder) => ({ ...settings, listOrder }),
    ),
    'token-boundary': profileOption(
      TOKEN_BOUNDARIES,
      () => z.enum(TOKEN_BOUNDARIES),
      ({ tokenBoundary }) => tokenBoundary,
      (settings, tokenBoundary) => ({ ...settings, tokenBoundary }),
    ),
    'error-code-type': profileOption(
      ERROR_CODE_TYPES,
      () => z.enum(ERROR_CODE_TYPES),
      ({ errorCodeType }) => errorCodeType,
      (settings, errorCodeType) => ({ ...settings, errorCodeType }),
    ),
    'error-envelope': profileOption(
      ERROR_ENVELOPES,
      () => z.enum(ERROR_ENVELOPES),
      ({ errorEnvelope }) => errorEnvelope,
      (settings, errorEnvelope) => ({ ...settings, errorEnvelope }),
    ),
    'phone-digits': profileOption(
      PHONE_DIGITS,
      () => z.enum(PHONE_DIGITS),
      ({ phoneDigits }) => phoneDigits,
      (settings, phoneDigits) => ({ ...settings, phoneDigits }),
    ),
    'frequency-words': profileOption(
      FREQUENCY_WORDS,
      () => z.enum(FREQUENCY_WORDS),
      ({ frequencyWords }) => frequencyWords,
      (settings, frequencyWords) => ({ ...settings, frequencyWords }),
    ),
    'list-selection': profileOption(
      { per_page: '1 to 100' },
      () => z.strictObject({ per_page: z.int().min(1).max(100) }),
      ({ pageSize }) => ({ per_page: pageSize }),
      (settings, { per_page }) => ({ ...settings, pageSize: per_page }),
    ),
    'page-urls': profileOption(
      PAGE_URLS,
      () => z.enum(PAGE_URLS),
      ({ pageUrls }) => pageUrls,
      (settings, pageUrls) => ({ ...settings, pageUrls }),
    ),
    'text-trim': profileOption(
      TEXT_TRIMS,
      () => z.enum(TEXT_TRIMS),
      ({ textTrim }) => textTrim,
      (settings, textTrim) => ({ ...settings, textTrim }),
    ),
    'http-status': profileOption(
      Object.fromEntries(ERROR_CODES.map((code) => [code, '200, or 400 to 599'])),
      () => someOf(ERROR_CODES, refusalStatus),
      ({ statuses }) => statuses,
      (settings, statuses) => ({
        ...settings,
        statuses: { ...settings.statuses, ...(statuses as Settings['statuses']) },
      }),
    ),
    'auth-failure': messageOption('unauthenticated'),
    'token-expired': messageOption('tokenExpired'),
    'token-unknown': messageOption('tokenUnknown'),
    'token-used': profileOption(
      [...USED_TOKENS, { message: 'any text' }],
      () => z.union([z.enum(USED_TOKENS), messageSchema()]),
      ({ usedToken, messages }) =>
        usedToken === 'used' ? { message: messages.tokenUsed } : usedToken,
      (settings, value) =>
        typeof value === 'string'
          ? { ...settings, usedToken: value }
          : {
              ...settings,
              usedToken: 'used',
              messages: { ...settings.messages, tokenUsed: value.message },
            },
    ),
    'success-messages': profileOption(
      Object.fromEntries(operationIds.map((operationId) => [operationId, 'any text'])),
      () => someOf(operationIds, anyText),
      ({ messages: { success } }) =>
        Object.fromEntries(
          operations.map(({ operationId, envelope }) => [
            operationId,
            success[operationId] ?? envelope.message,
          ]),
        ),
      (settings, success) => ({
        ...settings,
        messages: {
          ...settings.messages,
          success: { ...settings.messages.success, ...(success as Record<string, string>) },
        },
      }),
    ),
  },
  ...anyFamilies.map((family) => family.profileOptions),
);

const profileFile = () =>
  z.strictObject({
    $schema: z.string().optional(),
    version: z.literal(1),
    decisions: recordOf(z.string(), z.unknown()),
  });

/** Settings with the assumptions of a profile. Throws 422 on what it does not know, with what is allowed. */
export function applyProfile(settings: Settings, profile: unknown): Settings {
  const parsed = profileFile().safeParse(profile);
  if (!parsed.success) refuseProfile(formatIssues(profile, parsed.error));

  const problems: string[] = [];
  let applied = settings;
  for (const [id, value] of Object.entries(parsed.data.decisions)) {
    const option = optionOf(id);
    if (!option) {
      problems.push(unknownOption(id));
      continue;
    }
    const read = option.schema().safeParse(value);
    if (read.success) applied = option.apply(applied, read.data as never);
    else problems.push(...valueProblems(id, value, option, read.error));
  }
  if (problems.length > 0) refuseProfile(problems);
  return applied;
}

const optionOf = (id: string): ProfileOption | undefined =>
  Object.hasOwn(profileOptions, id) ? profileOptions[id as AssumptionId] : undefined;

function unknownOption(id: string): string {
  const ids = Object.keys(profileOptions);
  const meant = nearest(id, ids);
  const hint = meant === undefined ? '.' : `; did you mean "${meant}"?`;
  const why = Object.hasOwn(ASSUMPTIONS, id)
    ? 'this assumption has no alternatives.'
    : `unknown assumption, or one without alternatives${hint}`;
  return `decisions.${id}: ${why} Known: ${ids.join(', ')}`;
}

/** What is wrong with the value of an assumption, each with its place and with what is allowed. */
const valueProblems = (
  id: string,
  value: unknown,
  { allowed }: ProfileOption,
  error: z.core.$ZodError,
): string[] =>
  formatIssues(value, error).map((line) => {
    const problem = line.startsWith('the document: ')
      ? line.replace('the document', id)
      : `${id}.${line}`;
    return `decisions.${problem}${nearestKey(error, allowed)}; allowed: ${JSON.stringify(allowed)}`;
  });

/** The key that was meant, of those that could stand there. */
function nearestKey({ issues }: z.core.$ZodError, allowed: unknown): string {
  const [unknown] = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [],
  );
  const forms: readonly unknown[] = Array.isArray(allowed) ? allowed : [allowed];
  const keys = forms.flatMap((form) => (typeof form === 'object' ? Object.keys(Object(form)) : []));
  const meant = unknown === undefined ? undefined : nearest(unknown, keys);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

function refuseProfile(problems: readonly string[]): never {
  throw new ControlError(422, `Invalid profile: ${problems[0]}`, { errors: problems });
}
