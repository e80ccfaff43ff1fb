/* Fields whose accepted forms a profile decides. */

import type { AssumptionId } from '../world/assumptions.ts';
import { PHONE_LENGTH } from '../world/limits.ts';
import { choice, type Settings } from '../world/settings.ts';
import { type FieldMeta, patterned, phone, synonymOf, text, url, word } from './request-fields.ts';

const ANY_PHONE_FORM = /^\+?\d{7,15}$/;

const ANY_PHONE = 'must be 7 to 15 digits, with or without a plus before them.';

/** The phone numbers of micro-health and group life. The contract says those of motor. */
export const PHONE_DIGITS = choice('phone-digits', {
  eleven: { says: `${PHONE_LENGTH} digits`, field: (meta: FieldMeta) => phone(meta) },
  any: {
    says: '7 to 15 digits with an optional leading plus',
    field: (meta: FieldMeta) =>
      patterned(ANY_PHONE_FORM, ANY_PHONE).meta({ 'x-assumptions': ['phone-digits'], ...meta }),
  },
});

/** A phone number. */
export const phoneIn = (settings: Settings, meta: FieldMeta) =>
  PHONE_DIGITS.of(settings).field(meta);

/** The description of a phone number in a request or a response. */
export const phoneMeta = (settings: Settings, whose: string, more = '.'): FieldMeta => ({
  description: `${whose}, ${PHONE_DIGITS.of(settings).says}${more}`,
});

/** The images of all families. */
export const IMAGES = choice('motor-images', {
  url: {
    describe: (shown: string) => `URL of an image of ${shown}.`,
    field: (meta: FieldMeta) => url(meta),
  },
  any: {
    describe: (shown: string) => `Image of ${shown}. Any text is accepted.`,
    field: (meta: FieldMeta) =>
      text({ ...meta, 'x-assumptions': also(meta, 'motor-images', 'encoding') }),
  },
});

/** The URL of an image. */
export const imageIn = (settings: Settings, meta: FieldMeta) => IMAGES.of(settings).field(meta);

/** The description of the URL of an image in a request or a response. */
export const imageMeta = (settings: Settings, shown: string): FieldMeta => ({
  description: IMAGES.of(settings).describe(shown),
});

/** A word of a few, read as its canonical one. */
type WordField = <const Words extends Readonly<Record<string, string>>>(
  canonical: Words,
  meta: FieldMeta,
) => ReturnType<typeof word<Words>>;

/** The words for payment frequencies. */
export const FREQUENCY_WORDS = choice<Record<'exact' | 'any-case', { readonly field: WordField }>>(
  'frequency-words',
  { exact: { field: word }, 'any-case': { field: wordInAnyCase } },
);

/** A payment frequency. */
export const frequencyIn = <const Words extends Readonly<Record<string, string>>>(
  settings: Settings,
  canonical: Words,
  meta: FieldMeta,
) => FREQUENCY_WORDS.of(settings).field(canonical, meta);

function wordInAnyCase<const Words extends Readonly<Record<string, string>>>(
  canonical: Words,
  meta: FieldMeta,
) {
  const words: Readonly<Record<string, unknown>> = { ...canonical, annual: canonical.annually };
  const spellings = Object.keys(words);
  const demand = `must be one of ${spellings.join(', ')}, in any case.`;
  // Every accepted spelling is read as one of the published words.
  return patterned(inAnyCase(spellings), demand)
    .transform((sent) => words[sent.toLowerCase()] as Words[keyof Words])
    .meta({
      ...meta,
      description: `${meta.description} \`annual\` means \`${canonical.annually}\` too. Upper and lower case are accepted.`,
      'x-assumptions': also(meta, 'frequency-words'),
      'x-accepted': synonymOf(words as Readonly<Record<string, string>>),
    }) as unknown as ReturnType<typeof word<Words>>;
}

/** Both cases of each letter, because a pattern in a document has no flags. */
const inAnyCase = (words: readonly string[]): RegExp => {
  const letters = (each: string) => each.replace(/[a-z]/g, (a) => `[${a.toUpperCase()}${a}]`);
  return new RegExp(`^(?:${words.map(letters).join('|')})$`);
};

const also = (
  { 'x-assumptions': own = [] }: FieldMeta,
  ...more: readonly AssumptionId[]
): readonly AssumptionId[] => [...new Set([...own, ...more])];
