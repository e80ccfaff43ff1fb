const { expect } = require('@playwright/test');
const { test } = require('micro-insurance-sandbox/playwright');

test('sells / cover 🚗', async ({ sandbox, merchant }) => {
  const headers = { authorization: `Bearer ${merchant.apiKey}` };
  const response = await fetch(`${sandbox.url}/api/merchant/get_comprehensive_motor_policies`, {
    headers,
  });
  expect(response.status).toBe(200);
  const refused = await merchant.call('verifyMotorPolicy', { token: 'CMP1' });
  expect(refused.status).toBe(200);
});

test('passes', async ({ merchant }) => {
  const policy = await merchant.buy('motor');
  expect(merchant.records({ family: 'motor' }).data).toEqual([policy]);
});
