import { expect, test } from 'vitest';
import { createClient } from '../support/client.ts';
import { control } from '../support/control.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer is read freely
type Any = any;

const OPTIONS = [
  ['error-envelope', ['envelope', 'laravel']],
  ['phone-digits', ['eleven', 'any']],
  ['motor-images', ['url', 'any']],
  ['frequency-words', ['exact', 'any-case']],
] as const;

test.each(OPTIONS)('%s is listed as %j, and as it is set here', async (id, alternatives) => {
  const settingUnder = async (decisions: object) => {
    const { sandbox, merchant } = createClient({ profile: { version: 1, decisions } });
    const { body } = await control(sandbox, 'listAssumptions', { key: merchant.apiKey });
    const row = body.data.find((each: Any) => each.id === id);
    expect(row.alternatives).toEqual(alternatives);
    return row.setting;
  };
  const [published, other] = alternatives;
  expect(await settingUnder({})).toBe(published);
  expect(await settingUnder({ [id]: other })).toBe(other);
});
