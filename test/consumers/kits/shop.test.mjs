import { test } from 'micro-insurance-sandbox/vitest';
import { expect } from 'vitest';

test('sells / cover 🚗', async ({ merchant }) => {
  const refused = await merchant.call('verifyMotorPolicy', { token: 'CMP1' });
  expect(refused.status).toBe(200);
});
