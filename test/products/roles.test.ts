import { expect, test } from 'vitest';
import { anyFamilies, operations } from '../../src/products/world.ts';
import { createClient } from '../support/client.ts';
import { acceptedInput } from '../support/requests.ts';

const withRole = (...roles: readonly string[]) =>
  operations.filter(({ role }) => roles.includes(role));

test.each(anyFamilies)(
  '$key starts a purchase with one operation and completes it with another',
  ({ operations: own }) => {
    const countOf = (role: string) => own.filter((each) => each.role === role).length;
    expect(countOf('initiate')).toBe(1);
    expect(countOf('verify')).toBe(1);
  },
);

test.each(withRole('verify'))('$operationId takes a token only once', async ({ operationId }) => {
  const client = createClient();
  const input = await acceptedInput(client, operationId);
  expect((await client.call(operationId, input)).status).toBe(200);
  expect((await client.call(operationId, input)).body.data.error).toEqual([
    'Token has already been used',
  ]);
});

test.each(withRole('renew', 'lookup'))(
  '$operationId takes the number of a policy that exists',
  async ({ operationId, errors }) => {
    const client = createClient();
    const input = await acceptedInput(client, operationId);
    expect((await client.call(operationId, input)).status).toBe(200);
    expect(errors).toContain('policy_unknown');
  },
);
