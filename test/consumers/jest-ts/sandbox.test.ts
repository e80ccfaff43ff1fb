import {
  ControlError,
  createSandbox,
  type Merchant,
  type MicroHealthInitiateRequest,
  type Operations,
} from 'micro-insurance-sandbox';
import { type SandboxServer, startSandbox } from 'micro-insurance-sandbox/node';

const ada: MicroHealthInitiateRequest = {
  first_name: 'Ada',
  surname: 'Obi',
  email: 'ada@example.com',
  phone_no: '08031234567',
  date_of_birth: '1990-04-12',
  product_id: 1,
  subscription_type: 'monthly',
  amount: 700,
  nin_number: '12345678901',
  first_beneficiary_full_name: 'Bola Ade',
  id_url: 'https://files.example.com/id.png',
};

/** The client of a merchant, over whichever fetch. */
function clientOf({ apiKey }: Merchant, url: string, fetch = globalThis.fetch) {
  const post = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${url}/api/merchant/micro_health/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer;
  };
  type Initiate = Operations['initiateMicroHealthSubscription'];
  type Verify = Operations['verifyMicroHealthSubscription'];
  return {
    initiate: async (body: Initiate['body']) =>
      ((await post('initiate', body)) as Initiate['response']).data.token,
    verify: async (body: Verify['body']) =>
      ((await post('verify', body)) as Verify['response']).data.policy_no,
  };
}

test('in process', async () => {
  const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
  const merchant = sandbox.createMerchant();
  const client = clientOf(merchant, 'http://sandbox', sandbox.fetch);
  expect(await client.verify({ token: await client.initiate(ada) })).toMatch(/^\d{10}$/);

  const token = await client.initiate(ada);
  merchant.clock.advance('PT15M');
  await expect(client.verify({ token })).rejects.toThrow('Token has expired');
  expect(merchant.journal.list({ status: 200 })).toHaveLength(3);

  const page = await sandbox.fetch('/_sandbox');
  expect(await page.text()).toContain('<title>');
  expect(() => sandbox.merchant('sk_nobody')).toThrow(ControlError);
});

test('over a socket', async () => {
  await using server: SandboxServer = await startSandbox({ port: 0, clock: 'frozen' });
  const client = clientOf(server.sandbox.createMerchant(), server.url);
  expect(await client.verify({ token: await client.initiate(ada) })).toMatch(/^\d{10}$/);
  const page = await fetch(`${server.url}/_sandbox`);
  expect(await page.text()).toContain('<title>');
});
