import { expect, test } from 'vitest';
import catalogue from '../fixtures/products.json' with { type: 'json' };
import { createSandbox, type SandboxOptions, sampleRequests } from '../src/index.ts';
import { createDemoClient, operations } from './support/client.ts';
import { openHosted } from './support/cluster.ts';
import { callsOf, filled } from './support/llms.ts';
import { get } from './support/served-documents.ts';

const textOf = async (options: SandboxOptions = {}): Promise<string> =>
  (await get(createSandbox(options), '/llms.txt')).text();

/** A value with the type of each value inside, for `toMatchObject`. */
const typesOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, typesOf(inner)]))
    : expect.any(Object(value).constructor);

test('an agent that copies the calls of /llms.txt buys, lists, looks up and renews in every family', async () => {
  const { sandbox } = createDemoClient();
  let data: object = {};
  const called: string[] = [];
  for (const { method, path, body } of callsOf(await textOf())) {
    const response = await sandbox.fetch(filled(path, data), {
      method,
      headers: {
        authorization: 'Bearer sk_sandbox_demo',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: filled(body, data) }),
    });
    const told = await response.text();
    expect(response.ok, `${method} ${path} ${told}`).toBe(true);
    called.push(path);
    if (!response.headers.get('content-type')?.includes('json')) continue;
    const answered = JSON.parse(told).data;
    if (!Array.isArray(answered) && !Array.isArray(answered?.data)) data = { ...data, ...answered };
  }
  const form = (path: string) => path.replace(/:\w+|<\w+>/, '*');
  const forms = called.map(form);
  const missing = operations
    .filter(({ path }) => !forms.includes(form(path)))
    .map(({ operationId }) => `${operationId}: /llms.txt shows no call of it`);
  expect(missing).toEqual([]);
});

test('/llms.txt is plain text of at most 8 kB', async () => {
  const response = await get(createSandbox(), '/llms.txt');
  expect(response.headers.get('content-type')).toMatch(/^text\/plain;/);
  expect((await response.arrayBuffer()).byteLength).toBeLessThanOrEqual(8_000);
});

test('/llms.txt shows a response, and says what programs read of it', async () => {
  const text = await textOf();
  const [, shown = ''] = /^`(\{"success":true,.*)`$/m.exec(text) ?? [];
  const merchant = createSandbox().createMerchant();
  const initiated = await merchant.data(
    'initiateMicroHealthSubscription',
    sampleRequests.initiateMicroHealthSubscription,
  );
  const { body } = await merchant.call('verifyMicroHealthSubscription', initiated);
  expect(body).toMatchObject(typesOf(JSON.parse(shown)) as object);
  for (const told of [
    ...['<policy_number>', '`data.quote_price`', '`data.premium`', '15 each', '`?per_page=`'],
    ...['next_page_url', 'quarterly, annually', 'quarterly, yearly', '`subscriptions_no`'],
    ...['1 is the customer alone', 'final `policy_number`', 'Two equal orders', 'wait as long'],
    ...[
      'Never buy again',
      'Send verify again with the same token',
      '`response_code` is a number here',
    ],
  ]) {
    expect(text).toContain(told);
  }
});

test('the look-up returns what verify returns, and the list has it in `subscriptions`, as /llms.txt says', async () => {
  expect(await textOf()).toContain(
    'The look-up returns the same; the list has it in `subscriptions`',
  );
  const merchant = createSandbox().createMerchant();
  const { policy_no } = await merchant.buy('micro_health');
  const policy = await merchant.data('validateMicroHealthPolicy', { policy_no });
  expect(policy).toMatchObject({ policy_no, subscriptions_no: 1 });
  const list = await merchant.data('listMicroHealthSubscriptions');
  expect(list.data).toMatchObject([{ subscriptions: { policy_no, subscriptions_no: 1 } }]);
});

test('the purchases of /llms.txt begin on the day of the sandbox', async () => {
  const text = await textOf({ now: '2027-03-01T10:00:00Z' });
  expect([...text.matchAll(/"start_date":"([\d-]+)"/g)].map(([, date]) => date)).toEqual([
    '2027-03-01',
    '2027-03-01',
  ]);
});

test("motor's initiate has the number of the policy that verify returns, as /llms.txt says", async () => {
  const merchant = createSandbox().createMerchant();
  const initiated = await merchant.data('initiateMotorPolicy', sampleRequests.initiateMotorPolicy);
  const bought = await merchant.data('verifyMotorPolicy', { token: initiated.token });
  expect(bought.policy_number).toBe(initiated.policy_number);
});

test('/llms.txt has the catalogue, the address and the refusals of this sandbox', async () => {
  const withoutFirst = catalogue.products.map((product) => ({
    ...product,
    enable: product.id !== 1,
  }));
  const text = await textOf({
    publicUrl: 'https://sandbox.example',
    profile: {
      version: 1,
      decisions: {
        'http-status': { token_expired: 410 },
        'token-expired': { message: 'Too late' },
      },
    },
    fixtures: { 'products.json': { products: withoutFirst } },
  });
  expect(text).toContain('https://sandbox.example/openapi.json');
  expect(text).toContain('- 410: ');
  expect(text).toContain('"product_id":3,');
  expect(text).not.toContain('"product_id":1,');
});

test('/llms.txt has no key without a demo merchant, and says if any key works', async () => {
  const merchants = { merchants: [{ id: 9, name: 'Mine', api_key: 'sk_of_my_own' }] };
  const text = await textOf({ fixtures: { 'merchants.json': merchants } });
  expect(text).not.toContain('sk_');
  expect(text).toContain('`POST /_sandbox/merchants` creates a merchant');
  expect(await textOf({ autoMerchants: true })).toContain('A new key opens an empty World');
});

test('/llms.txt offers no broken connections without a socket', async () => {
  const response = await openHosted().fetch(new Request('http://sandbox/llms.txt'));
  const text = await response.text();
  expect(text).toContain('`Sandbox-Fault: after; malformed`');
  expect(text).not.toMatch(/`(drop|truncate)`/);
});
