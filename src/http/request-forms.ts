import type { z } from '@hono/zod-openapi';
import { type Settings, SHARED_SETTINGS } from '../core/settings.ts';
import { type FieldMeta, patterned, phone, text, url, word } from './request-fields.ts';

/** The settings that decide which forms of fields are taken. */
export type RequestForms = Pick<Settings, 'phoneDigits' | 'motorImages' | 'frequencyWords'>;

/** Tells one choice of forms from another. */
export const formsKey = ({ phoneDigits, motorImages, frequencyWords }: RequestForms): string =>
  `${phoneDigits} ${motorImages} ${frequencyWords}`;

const PUBLISHED = formsKey(SHARED_SETTINGS);

/** What a request schema is under the forms of a profile: built once for each, undefined for the published ones. */
export function underForms<S extends z.ZodObject>(
  create: (forms: RequestForms) => S,
): (forms: RequestForms) => S | undefined {
  const created = new Map<string, S>();
  return (forms) => {
    const key = formsKey(forms);
    if (key === PUBLISHED) return undefined;
    const schema = created.get(key) ?? create(forms);
    created.set(key, schema);
    return schema;
  };
}

const ANY_PHONE = 'must be 7 to 15 digits, with or without a plus before them.';

/** A phone number (`phone-digits`). */
export const phoneIn = ({ phoneDigits }: RequestForms, meta: FieldMeta) =>
  phoneDigits === 'eleven'
    ? phone(meta)
    : patterned(/^\+?\d{7,15}$/, ANY_PHONE).meta({
        'x-assumptions': ['phone-digits'],
        ...meta,
        description: '7 to 15 digits, with or without a plus before them.',
      });

/** The URL of an image (`motor-images`). */
export const imageIn = ({ motorImages }: RequestForms, meta: FieldMeta) =>
  motorImages === 'url'
    ? url(meta)
    : text({ ...meta, description: `${meta.description} Any text is taken.` });

/** A payment frequency (`frequency-words`). */
export function frequencyIn<const Words extends Readonly<Record<string, string>>>(
  { frequencyWords }: RequestForms,
  canonical: Words,
  meta: FieldMeta,
) {
  const published = word(canonical, meta);
  if (frequencyWords === 'exact') return published;
  const words = new Map(Object.entries(canonical));
  words.set('annual', canonical.annually as string);
  const demand = `must be one of ${[...words.keys()].join(', ')}, in any case.`;
  // Whatever is taken is read as the published words are.
  return anyText(demand)
    .refine((sent) => words.has(sent.toLowerCase()), { error: demand })
    .transform((sent) => words.get(sent.toLowerCase()) as Words[keyof Words])
    .meta({
      ...meta,
      description: `${meta.description} Taken in any case; annual means annually.`,
    }) as unknown as typeof published;
}

const anyText = (demand: string) => patterned(/^[a-z]+$/i, demand);
