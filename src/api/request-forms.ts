import type { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import { type Settings, SHARED_SETTINGS } from '../world/settings.ts';
import { type FieldMeta, patterned, phone, text, url, word } from './request-fields.ts';

declare module 'zod' {
  interface GlobalMeta {
    /** What a document of a sandbox with these settings says instead; it is in no document itself. */
    'x-by-settings'?: (settings: Settings) => z.GlobalMeta;
  }
}

/**
 * What a document says of a field that a profile decides: as published, and how a document of other settings
 * comes to say otherwise.
 */
export const bySettings = <S extends object>(
  published: S,
  say: (settings: S) => z.GlobalMeta,
): z.GlobalMeta => ({
  ...say(published),
  'x-by-settings': (settings) => say(settings as unknown as S),
});

/** The settings that decide which forms of fields are taken. */
export type RequestForms = Pick<Settings, 'phoneDigits' | 'images' | 'frequencyWords'>;

/** Tells one choice of forms from another. */
export const formsKey = ({ phoneDigits, images, frequencyWords }: RequestForms): string =>
  `${phoneDigits} ${images} ${frequencyWords}`;

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

/** The widest forms that a profile lets into a pending purchase, which keeps the canonical word of a frequency. */
export const WIDEST_FORMS: RequestForms = {
  phoneDigits: 'any',
  images: 'any',
  frequencyWords: 'exact',
};

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

/** What a document says of a phone number in an answer. */
export const phoneMeta = (whose: string, more = '.'): FieldMeta =>
  bySettings(SHARED_SETTINGS, ({ phoneDigits }) => ({
    description: `${whose}, ${phoneDigits === 'eleven' ? '11 digits' : '7 to 15 digits, with or without a plus before them'}${more}`,
  }));

/** The URL of an image (`motor-images`). */
export const imageIn = ({ images }: RequestForms, meta: FieldMeta) =>
  images === 'url'
    ? url(meta)
    : text({ ...meta, 'x-assumptions': also(meta, 'motor-images', 'encoding') });

/** What a document says of the URL of an image, in a request or in an answer. */
export const imageMeta = (shown: string): FieldMeta =>
  bySettings(SHARED_SETTINGS, ({ images }) => ({
    description:
      images === 'url' ? `URL of an image of ${shown}.` : `An image of ${shown}: any text.`,
  }));

/** A payment frequency (`frequency-words`). */
export function frequencyIn<const Words extends Readonly<Record<string, string>>>(
  { frequencyWords }: RequestForms,
  canonical: Words,
  meta: FieldMeta,
) {
  const published = word(canonical, meta);
  if (frequencyWords === 'exact') return published;
  const words: Readonly<Record<string, unknown>> = { ...canonical, annual: canonical.annually };
  const spellings = Object.keys(words);
  const demand = `must be one of ${spellings.join(', ')}, in any case.`;
  // Whatever is taken is read as the published words are.
  return patterned(inAnyCase(spellings), demand)
    .transform((sent) => words[sent.toLowerCase()] as Words[keyof Words])
    .meta({
      ...meta,
      description: `${meta.description} Taken in any case; annual means ${canonical.annually}.`,
      'x-assumptions': also(meta, 'frequency-words'),
    }) as unknown as typeof published;
}

/** Written out letter by letter: a pattern in a document has no flags. */
const inAnyCase = (words: readonly string[]): RegExp => {
  const letters = (each: string) => each.replace(/[a-z]/g, (a) => `[${a.toUpperCase()}${a}]`);
  return new RegExp(`^(?:${words.map(letters).join('|')})$`);
};

const also = (
  { 'x-assumptions': own = [] }: FieldMeta,
  ...more: readonly AssumptionId[]
): readonly AssumptionId[] => [...new Set([...own, ...more])];
