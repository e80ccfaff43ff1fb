import {
  ControlError,
  createSandbox,
  type JournalEntry,
  type Merchant,
} from 'micro-insurance-sandbox';
import { type SandboxServer, startSandbox } from 'micro-insurance-sandbox/node';

const ada = {
  ...{ first_name: 'Ada', surname: 'Obi', email: 'ada@example.com', phone_no: '08031234567' },
  ...{
    date_of_birth: '1990-04-12',
    nin_number: '12345678901',
    first_beneficiary_full_name: 'Bola Ade',
  },
  ...{
    product_id: 1,
    subscription_type: 'monthly',
    amount: 700,
    id_url: 'https://files.example.com/id.png',
  },
};

async function post(fetch: typeof globalThis.fetch, url: string, merchant: Merchant, body: object) {
  const path = 'token' in body ? 'verify' : 'initiate';
  const request = new Request(`${url}/api/merchant/micro_health/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${merchant.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const response = await fetch(request);
  return (await response.json()) as { message: string; data: { token: string; policy_no: string } };
}

test('in process', async () => {
  const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
  const { fetch } = sandbox;
  const merchant = sandbox.createMerchant();
  const { token } = (await post(fetch, 'http://sandbox', merchant, ada)).data;
  expect((await post(fetch, 'http://sandbox', merchant, { token })).data.policy_no).toMatch(
    /^\d{10}$/,
  );
  const late = (await post(fetch, 'http://sandbox', merchant, ada)).data.token;
  merchant.clock.advance('PT15M');
  expect((await post(fetch, 'http://sandbox', merchant, { token: late })).message).toMatch(
    /expired/,
  );
  const entries: JournalEntry[] = merchant.journal.list({ status: 200 });
  expect(entries).toHaveLength(3);
  const page = await fetch(new Request('http://sandbox/_sandbox'));
  expect(await page.text()).toContain('<title>');
  expect(() => sandbox.merchant('sk_nobody')).toThrow(ControlError);
});

test('over a socket', async () => {
  const server: SandboxServer = await startSandbox({ port: 0, clock: 'frozen' });
  const merchant = server.sandbox.createMerchant();
  const { token } = (await post(fetch, server.url, merchant, ada)).data;
  expect((await post(fetch, server.url, merchant, { token })).data.policy_no).toMatch(/^\d{10}$/);
  expect(await (await fetch(`${server.url}/_sandbox`)).text()).toContain('<title>');
  await server.close();
});
