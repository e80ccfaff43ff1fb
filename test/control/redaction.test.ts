import { describe, expect, test } from 'vitest';
import { type Client, clientOf, createClient, operationOf, requestOf } from '../support/client.ts';
import { buy, purchaseOf } from '../support/requests.ts';

const NIN = String(purchaseOf('micro_health').nin_number);

describe('keys and identity numbers are in no journal', () => {
  const secrets = (client: Client) => {
    const { journal, snapshot, apiKey } = client.merchant;
    const shown = [journal.list(), snapshot().world.journal]
      .map((each) => JSON.stringify(each))
      .join();
    expect(shown).not.toContain(NIN);
    expect(shown).not.toContain(apiKey);
    return shown;
  };

  test.each([
    ['a body', JSON.stringify(purchaseOf('micro_health', { nin_number: NIN }))],
    ['a number', JSON.stringify(purchaseOf('micro_health'))],
    ['a list', `{"people":[{"nin_number":"${NIN}"},{"NIN":${NIN}},{"ninNumber":[${NIN}]}]}`],
    ['broken JSON', `{"first_name":"Ada","nin_number":"${NIN}","amount":`],
    ['JSON that ends early', `{"nin_number":"${NIN}`],
    ['broken JSON with a number', `{"nin_number": ${NIN}, "amount": }`],
    ['single quotes', `{'nin_number': '${NIN}'}`],
    ['JSON as a text', JSON.stringify(JSON.stringify({ nin_number: NIN }))],
    ['a form', `first_name=Ada&nin_number=${NIN}&amount=700`],
    ['an encoded form', `first_name=Ada&nin%5Fnumber=${NIN}`],
    ['XML', `<buyer><nin_number>${NIN}</nin_number></buyer>`],
    ['a broken list', `{"nin_number": ["${NIN}"]`],
    ['a broken list of numbers', `{"nin_number":[[${NIN}]]`],
    ['the documented motor sample', JSON.stringify({ id_type: 'NIN', id_number: NIN })],
    ['deep nesting', `${'['.repeat(300)}{"nin_number":"${NIN}"}${']'.repeat(300)}`],
  ])('not those of %s', async (_, raw) => {
    const client = createClient();
    await client.call('initiateMicroHealthSubscription', {}, { raw });
    expect(secrets(client)).toContain('[redacted]');
  });

  test('not a key in a header, a path, a body, or the name of a field', async () => {
    const client = createClient();
    const key = client.merchant.apiKey;
    const request = requestOf(operationOf('getMotorQuote'), 'http://sandbox', key, {
      product_id: key,
      api_key: key,
      [key]: 1,
    });
    const url = `${request.url}?api_key=${key}`;
    const headers = {
      authorization: `bearer ${key}`,
      cookie: `key=${key}`,
      'x-api-key': key,
      'x-other': `key ${key}`,
      'content-type': 'application/json',
    };
    await client.sandbox.fetch(
      new Request(url, { method: 'POST', headers, body: await request.text() }),
    );
    const shown = secrets(client);
    expect(shown).toContain('?api_key=[redacted]');
    expect(shown).toContain('"x-other":"key [redacted]"');
  });

  test('not what a header of secrets holds, whatever it is', async () => {
    const client = createClient();
    const names = ['proxy-authorization', 'cookie', 'x-api-key', 'api-key'];
    const headers = Object.fromEntries(names.map((name) => [name, 'swordfish']));
    await client.call('getMotorQuote', {}, { headers });
    expect(secrets(client)).not.toContain('swordfish');
  });

  test('but a key as short as a word takes no word out of anything', async () => {
    const { sandbox } = createClient({ autoMerchants: true });
    const client = clientOf(sandbox, sandbox.merchant('a'));
    await client.call('getMotorQuote', { vehicle: 'a saloon' });
    const [entry] = client.merchant.journal.list();
    expect(entry?.request.body).toEqual({ vehicle: 'a saloon' });
    expect(entry?.request.headers.authorization).toBe('[redacted]');
  });

  test('not a key of any other form', async () => {
    const { sandbox } = createClient({ autoMerchants: true });
    const client = clientOf(sandbox, sandbox.merchant('hunter2-of-worker-9'));
    await client.call('getMotorQuote', { product_id: client.merchant.apiKey });
    secrets(client);
  });

  test('not a key as a path or a query carries it', async () => {
    const { sandbox } = createClient({ autoMerchants: true });
    const client = clientOf(sandbox, sandbox.merchant('hunter2+of/worker=9'));
    const key = client.merchant.apiKey;
    await client.call('validateMicroHealthPolicy', { policy_no: key });
    await client.call('listMicroHealthSubscriptions', { start_date: key, page: 'sk_sandbox_demo' });
    await client.call('getMotorQuote', {}, { headers: { 'nin-number': NIN } });
    expect(secrets(client)).not.toContain(encodeURIComponent(key));
    expect(secrets(client)).not.toContain('sk_sandbox_demo');
  });

  test('not a key of somebody else', async () => {
    const client = createClient();
    const other = client.sandbox.createMerchant().apiKey;
    await client.call('getMotorQuote', { product_id: `my ${other}` });
    expect(secrets(client)).not.toContain(other);
  });

  test('and all else is, as it was sent', async () => {
    const client = createClient();
    await buy(client, 'micro_health');
    const [, entry] = client.merchant.journal.list();
    expect(entry?.request.body).toEqual(purchaseOf('micro_health', { nin_number: '[redacted]' }));
    await client.call('getMotorQuote', {}, { raw: 'nonsense: a nincompoop = 1' });
    expect(client.merchant.journal.list()[0]?.request.body).toBe('nonsense: a nincompoop = 1');
  });

  test('also after a snapshot was restored twice', async () => {
    const client = createClient();
    await client.call(
      'getMotorQuote',
      {},
      { raw: `{"nin_number":["${NIN}"],"b":'nin_number: [${NIN}]<nin>${NIN}</nin>'` },
    );
    const entries = client.merchant.journal.list();
    for (const _ of [1, 2]) {
      client.merchant.restore(client.merchant.snapshot());
      expect(client.merchant.journal.list()).toEqual(entries);
    }
  });
});
