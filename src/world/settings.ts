/*
 * Settings: what a sandbox decides where the contract is silent and a profile may choose. Each is declared once, beside
 * the code that it changes, with its allowed values, what follows from each, and the sentences about it.
 */

import { z } from '@hono/zod-openapi';
import type { AssumptionId } from './assumptions.ts';

/** The decisions of a profile, by assumption. Whatever is missing is as published. Only a `Setting` reads them. */
export type Settings = Readonly<Partial<Record<AssumptionId, unknown>>>;

/** The settings of a sandbox without a profile. */
export const PUBLISHED: Settings = {};

/** An assumption that a profile can set. */
export interface Setting<Value = unknown> {
  readonly id: AssumptionId;
  /** The allowed values, for people. */
  readonly allowed: unknown;
  /** The values that a profile may set. Made when a profile is read. */
  schema(): z.ZodType;
  /** Its value in a sandbox with these settings. */
  in(settings: Settings): Value;
  /** These settings with a value that a profile sets. */
  set(settings: Settings, value: unknown): Settings;
}

/** How a setting is declared. */
interface SettingDeclaration<Value, Set> {
  readonly published: Value;
  readonly allowed: unknown;
  readonly schema: () => z.ZodType<Set>;
  /** The value after a profile sets a part of it. Default: what the profile sets. */
  readonly merge?: (set: Set, held: Value) => Value;
}

/** Declares a setting. */
export function setting<Value, Set = Value>(
  id: AssumptionId,
  { published, allowed, schema, merge }: SettingDeclaration<Value, Set>,
): Setting<Value> {
  const valueIn = (settings: Settings) => (settings[id] ?? published) as Value;
  return {
    id,
    allowed,
    schema,
    in: valueIn,
    set: (settings, value) => ({
      ...settings,
      [id]: merge ? merge(value as Set, valueIn(settings)) : value,
    }),
  };
}

/** A setting whose values are words. */
export interface Choice<Effects> extends Setting<keyof Effects & string> {
  /** What follows from its value in a sandbox with these settings. */
  of(settings: Settings): Effects[keyof Effects];
}

/** Declares a setting with what follows from each of its words. The first word is published. */
export function choice<const Effects extends Readonly<Record<string, unknown>>>(
  id: AssumptionId,
  effects: Effects,
): Choice<Effects> {
  const words = Object.keys(effects) as [keyof Effects & string];
  const declared = setting(id, {
    published: words[0],
    allowed: words,
    schema: () => z.enum(words),
  });
  return { ...declared, of: (settings) => effects[declared.in(settings)] };
}

/** A text that is not blank. */
export const anyText = () => z.string().regex(/\S/, { error: 'a text that is not blank' });

/** A message, as a profile sets it. */
export const messageSchema = () => z.strictObject({ message: anyText() });

/** The allowed value of a message, for people. */
export const ANY_MESSAGE = { message: 'any text' };

/** Declares the message of a refusal. */
export const messageSetting = (id: AssumptionId, message: string) =>
  setting(id, { published: { message }, allowed: ANY_MESSAGE, schema: messageSchema });

/** Any of these keys, each with such a value. */
export const someOf = <Key extends string, Value extends z.ZodType>(
  keys: readonly Key[],
  value: () => Value,
): z.ZodType<Readonly<Partial<Record<Key, z.output<Value>>>>> =>
  z
    .strictObject(Object.fromEntries(keys.map((key) => [key, value()])) as Record<Key, Value>)
    .partial() as never;
