import { expect, test } from 'vitest';
import { createClient } from '../support/client.ts';

/** An assumption as a merchant with two calls sees it, under a profile. */
async function rowOf(id: string, decisions: object = {}) {
  const { call, merchant } = createClient({ profile: { version: 1, decisions } });
  for (let calls = 0; calls < 2; calls++) await call('listMotorPolicies');
  return merchant.assumptions().find((each) => each.id === id);
}

test('lists each assumption and how often a response is based on it', async () => {
  expect(await rowOf('motor-list')).toEqual({
    id: 'motor-list',
    question: 'Is the list paginated?',
    decision: expect.stringContaining('plain array'),
    basis: expect.any(String),
    count: 2,
  });
});

test.each([
  ['token-boundary', 'inclusive', ['exclusive', 'inclusive']],
  ['error-envelope', 'laravel', ['envelope', 'laravel']],
  ['phone-digits', 'any', ['eleven', 'any']],
  ['motor-images', 'any', ['url', 'any']],
  ['frequency-words', 'any-case', ['exact', 'any-case']],
  ['list-selection', { per_page: 5 }, { per_page: '1 to 100' }],
])('the assumptions show that %s is set to %j, of %j', async (id, setting, alternatives) => {
  expect(await rowOf(id, { [id]: setting })).toMatchObject({ setting, alternatives });
  const published = Array.isArray(alternatives) ? { setting: alternatives[0] } : {};
  expect(await rowOf(id)).toMatchObject({ ...published, alternatives, count: 0 });
});
