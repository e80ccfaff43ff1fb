import type { AssumptionId } from '../world/assumptions.ts';
import type { Settings } from '../world/settings.ts';
import { type FieldMeta, patterned, phone, text, url, word } from './request-fields.ts';

/** The settings that decide which forms of fields are accepted. */
export type RequestForms = Pick<Settings, 'phoneDigits' | 'images' | 'frequencyWords'>;

/** Every phone number that a profile may allow. */
export const ANY_PHONE_FORM = /^\+?\d{7,15}$/;

const ANY_PHONE = 'must be 7 to 15 digits, with or without a plus before them.';

/** A phone number (`phone-digits`). */
export const phoneIn = ({ phoneDigits }: RequestForms, meta: FieldMeta) =>
  phoneDigits === 'eleven'
    ? phone(meta)
    : patterned(ANY_PHONE_FORM, ANY_PHONE).meta({
        'x-assumptions': ['phone-digits'],
        ...meta,
      });

/** The description of a phone number in a request or a response. */
export const phoneMeta = ({ phoneDigits }: RequestForms, whose: string, more = '.'): FieldMeta => ({
  description: `${whose}, ${phoneDigits === 'eleven' ? '11 digits' : '7 to 15 digits with an optional leading plus'}${more}`,
});

/** The URL of an image (`motor-images`). */
export const imageIn = ({ images }: RequestForms, meta: FieldMeta) =>
  images === 'url'
    ? url(meta)
    : text({ ...meta, 'x-assumptions': also(meta, 'motor-images', 'encoding') });

/** The description of the URL of an image in a request or a response. */
export const imageMeta = ({ images }: RequestForms, shown: string): FieldMeta => ({
  description:
    images === 'url' ? `URL of an image of ${shown}.` : `Image of ${shown}. Any text is accepted.`,
});

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
  // Every accepted spelling is read as one of the published words.
  return patterned(inAnyCase(spellings), demand)
    .transform((sent) => words[sent.toLowerCase()] as Words[keyof Words])
    .meta({
      ...meta,
      description: `${meta.description} \`annual\` means \`${canonical.annually}\` too. Upper and lower case are accepted.`,
      'x-assumptions': also(meta, 'frequency-words'),
    }) as unknown as typeof published;
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
