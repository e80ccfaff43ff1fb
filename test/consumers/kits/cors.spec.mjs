import { expect } from '@playwright/test';
import { createTest } from 'micro-insurance-sandbox/playwright';

const test = createTest({ cors: 'http://127.0.0.1:5173', merchant: { records: { motor: 1 } } });

test('is called by a page of another origin', async ({ sandbox, merchant }) => {
  const headers = {
    authorization: `Bearer ${merchant.apiKey}`,
    // As browsers send it.
    origin: 'http://127.0.0.1:5174',
  };
  const path = '/api/merchant/get_comprehensive_motor_policies';
  const response = await fetch(sandbox.url + path, { headers });
  expect(response.headers.get('access-control-allow-origin')).toBe(headers.origin);
});

test('calls without a key', async ({ sandbox }) => {
  const response = await fetch(`${sandbox.url}/api/merchant/get_comprehensive_motor_policies`);
  expect(response.status).toBe(200);
});
