import * as z from 'zod/mini';
import type { AssumptionId } from '../core/assumptions.ts';
import type { ErrorCode } from '../core/errors.ts';
import { DEFAULT_SETTINGS, type Settings } from '../core/settings.ts';
import { operationIds } from './operations.ts';

/** A decision that can be taken otherwise: how its value looks, and what it sets. */
export interface Alternative {
  /** What a profile may say, for people. */
  readonly allowed: unknown;
  readonly form: () => z.core.$ZodType;
  read(settings: Settings): unknown;
  apply(settings: Settings, value: never): Settings;
}

const alternative = <S extends z.core.$ZodType>(
  allowed: unknown,
  form: () => S,
  read: (settings: Settings) => unknown,
  apply: (settings: Settings, value: z.output<S>) => Settings,
): Alternative => ({ allowed, form, read, apply });

const oneOf = <
  const Key extends keyof Settings,
  const Values extends readonly (Settings[Key] & string)[],
>(
  key: Key,
  values: Values,
): Alternative =>
  alternative(
    values,
    () => z.enum(values as unknown as [string, ...string[]]),
    (settings) => settings[key],
    (settings, value) => ({ ...settings, [key]: value }),
  );

const text = () => z.string().check(z.regex(/\S/));

const messageOf = (
  key: 'unauthenticated' | 'tokenExpired' | 'tokenUnknown' | 'tokenUsed',
): Alternative =>
  alternative(
    { message: 'any text' },
    () => z.strictObject({ message: text() }),
    ({ messages }) => ({ message: messages[key] }),
    (settings, { message }) => ({
      ...settings,
      messages: { ...settings.messages, [key]: message },
    }),
  );

const errorCodes = Object.keys(DEFAULT_SETTINGS.statuses) as ErrorCode[];

const record = <S extends z.core.$ZodType>(keys: readonly string[], value: () => S) =>
  z.partial(z.strictObject(Object.fromEntries(keys.map((key) => [key, value()]))));

const status = () =>
  z.int().check(
    z.refine((code) => code === 200 || (code >= 400 && code <= 599), {
      error: '200, or 400 to 599',
    }),
  );

/** Every decision that has alternatives. */
export const ALTERNATIVES: Readonly<Partial<Record<AssumptionId, Alternative>>> = {
  'amount-check': oneOf('amountCheck', ['exact', 'ignore']),
  'list-order': oneOf('listOrder', ['oldest-first', 'newest-first']),
  'token-boundary': oneOf('tokenBoundary', ['exclusive', 'inclusive']),
  'subscriptions-key': oneOf('subscriptionsKey', ['object', 'array']),
  'error-code-type': oneOf('errorCodeType', ['by-family', 'string', 'integer']),
  'list-selection': alternative(
    { per_page: '1 to 100' },
    () => z.strictObject({ per_page: z.int().check(z.gte(1), z.lte(100)) }),
    ({ pageSize }) => ({ per_page: pageSize }),
    (settings, { per_page }) => ({ ...settings, pageSize: per_page }),
  ),
  // 200 too: some services refuse with a success of HTTP, and let the body say it.
  'http-status': alternative(
    Object.fromEntries(errorCodes.map((code) => [code, '200, or 400 to 599'])),
    () => record(errorCodes, status),
    ({ statuses }) => statuses,
    (settings, statuses) => ({ ...settings, statuses: { ...settings.statuses, ...statuses } }),
  ),
  'auth-failure': messageOf('unauthenticated'),
  'token-expired': messageOf('tokenExpired'),
  'token-unknown': messageOf('tokenUnknown'),
  'token-used': messageOf('tokenUsed'),
  'success-messages': alternative(
    Object.fromEntries(operationIds.map((operationId) => [operationId, 'any text'])),
    () => record(operationIds, text),
    ({ messages }) => messages.success,
    (settings, success) => ({
      ...settings,
      messages: {
        ...settings.messages,
        success: { ...settings.messages.success, ...(success as Record<string, string>) },
      },
    }),
  ),
};
