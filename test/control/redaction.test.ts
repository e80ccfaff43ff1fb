import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Client, clientOf, createClient, operationOf, requestOf } from '../support/client.ts';
import { buy, purchaseOf } from '../support/requests.ts';
import { ownTimers } from '../support/timers.ts';

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
});

describe('the key that authenticated is in no journal, whatever else was sent', () => {
  const KEY = 'my-secret-key';
  const QUOTE = '/api/merchant/comprehensive_motor_get_quote';

  /** A merchant of a fixture, whose key looks like no other key. */
  function createSecretClient(): Client {
    const merchants = [{ id: 1, name: 'Secretive', api_key: KEY }];
    const { sandbox } = createClient({ fixtures: { 'merchants.json': { merchants } } });
    return clientOf(sandbox, sandbox.merchant(KEY));
  }

  /** Everything that shows what a merchant called. */
  async function shownOf({ merchant }: Client): Promise<string> {
    const { journal } = merchant;
    const timeout = await journal.await({ status: 599, timeout: 'PT0S' }).catch((error) => error);
    const shown = [journal.list(), merchant.snapshot().world.journal, timeout.problem.misses];
    for (const each of shown) expect(each).toHaveLength(journal.list().length);
    return JSON.stringify(shown);
  }

  const post = (body: string, headers: HeadersInit, path = QUOTE) =>
    new Request(`http://sandbox${path}`, { method: 'POST', headers, body });

  test.each([
    ['in a body', JSON.stringify({ vehicle: `of ${KEY}`, [KEY]: [KEY] })],
    ['percent-encoded', 'vehicle=my%2Dsecret%2dkey'],
    ['percent-encoded from its first letter on', 'vehicle=%6dy-secret-key'],
    ['escaped in broken JSON', '{"vehicle":"m\\u0079-\\u0073ecret-ke\\u0079'],
    ['escaped in JSON inside of JSON', JSON.stringify('{"vehicle":"my\\u002Dsecret\\u002dkey"}')],
  ])('not %s', async (_, body) => {
    const client = createSecretClient();
    await client.sandbox.fetch(post(body, { authorization: `Bearer ${KEY}` }));
    const shown = await shownOf(client);
    expect(shown).not.toMatch(/secret|ecret-ke/);
    expect(shown).toContain('[redacted]');
  });

  test('not in a path, a query, the name of a header or its value', async () => {
    const client = createSecretClient();
    const headers = { authorization: `Bearer ${KEY}`, [`x-${KEY}`]: '1', referer: `/?key=${KEY}` };
    for (const path of [`/${KEY}`, '/my%2Dsecret%2dkey', `/?a=${KEY}`, '/?a=%6Dy-secret-ke%79']) {
      await client.sandbox.fetch(post('{}', headers, path));
    }
    const shown = await shownOf(client);
    expect(shown).not.toMatch(/secret|ecret-ke/);
    expect(shown).toContain('"path":"/[redacted]"');
    expect(shown).toContain('"x-[redacted]":"1"');
  });

  test('not where the key was rotated while the call was under way', async () => {
    const timers = ownTimers();
    const client = createSecretClient();
    const headers = {
      authorization: `Bearer ${KEY}`,
      'sandbox-fault': 'before; delay; ms=1000',
    };
    const slow = client.sandbox.fetch(post(JSON.stringify({ vehicle: KEY }), headers));
    await timers.started();
    client.merchant.rotateKey();
    await timers.pass(1000);
    await slow;
    const [entry] = client.merchant.journal.list();
    expect(entry?.request.body).toEqual({ vehicle: '[redacted]' });
    expect(JSON.stringify(client.merchant.snapshot())).not.toContain(KEY);
  });

  test('not as a number, not in what a fault answers', async () => {
    const merchants = [{ id: 1, name: 'Numbered', api_key: '9081726354' }];
    const sandbox = createSandbox({ fixtures: { 'merchants.json': { merchants } } });
    const client = clientOf(sandbox, sandbox.merchant('9081726354'));
    const body = { told: ['9081726354'] };
    client.merchant.faults.add({ stage: 'before', effect: { kind: 'respond', status: 503, body } });
    const headers = { authorization: 'Bearer 9081726354' };
    await sandbox.fetch(post('{"vehicle":9081726354,"other":90817263545}', headers));
    const [entry] = client.merchant.journal.list();
    expect(entry?.request.body).toEqual({ vehicle: '[redacted]', other: 90817263545 });
    expect(entry?.fault?.effect).toEqual({
      kind: 'respond',
      status: 503,
      body: { told: ['[redacted]'] },
    });
    expect(await shownOf(client)).not.toContain('"9081726354');
  });

  test('and a call with two of them is 401, and in no journal', async () => {
    const client = createSecretClient();
    for (const second of ['Bearer sk_sandbox_other', `Bearer ${KEY}`, 'Basic me', '']) {
      const headers = new Headers({ authorization: `Bearer ${KEY}` });
      headers.append('authorization', second);
      expect((await client.sandbox.fetch(post('{}', headers))).status).toBe(401);
    }
    expect(client.merchant.journal.list()).toEqual([]);
  });
});
