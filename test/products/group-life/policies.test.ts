import { expect, test } from 'vitest';
import { createClient } from '../../support/client.ts';
import { buy } from '../../support/requests.ts';
import { dataOf, problemsOf } from '../calls.ts';

const DETAILS = 'getGroupLifePolicyDetails';
const LIST = 'listGroupLifePolicies';

const [OTHER, REQUIRED] = ['IN00000000', 'The policy_number field is required.'];

test.each<[sent: object, status: number, ...problems: string[]]>([
  [{ policy_number: 'its own', Policy_number: OTHER, policyNumber: OTHER }, 200],
  [{ Policy_number: 'its own', policyNumber: OTHER }, 200],
  [{ policyNumber: 'its own' }, 200],
  [{ policy_number: OTHER, Policy_number: 'its own' }, 404, 'The policy was not found.'],
  [{ Policy_number: OTHER, policyNumber: 'its own' }, 404, 'The policy was not found.'],
  [{}, 422, REQUIRED],
  [{ Policy_number: 7 }, 422, 'The Policy_number field must be a text.'],
])(
  'a policy is found by the first spelling of its number: %j returns %i',
  async (sent, status, ...problems) => {
    const client = createClient();
    const { policy_number } = await buy(client, 'group_life');
    const text = JSON.stringify(sent).replace('its own', policy_number);
    const answer = await client.call(DETAILS, JSON.parse(text));
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body.data.policy_number).toBe(policy_number);
    else expect(answer.body.data.error).toEqual(problems);
  },
);

test('the list is paginated, oldest first', async () => {
  const client = createClient();
  const bought: string[] = [];
  while (bought.length < 3) bought.push((await buy(client, 'group_life')).policy_number);
  const first = await dataOf(client, LIST, { per_page: '2', period: 'day' });
  expect(first).toMatchObject({ current_page: 1, last_page: 2, per_page: 2, total: 3 });
  expect(first.next_page_url).toBe(`${first.path}?per_page=2&page=2`);
  const second = await dataOf(client, LIST, { per_page: '2', page: '2' });
  const listed: { policy_number: string }[] = [...first.data, ...second.data];
  expect(listed.map(({ policy_number }) => policy_number)).toEqual(bought);
  expect(await problemsOf(client, LIST, { per_page: '101' })).toEqual([
    'The per_page field must be a whole number from 1 to 100.',
  ]);
});
