import { describe, expect, onTestFinished, test } from 'vitest';
import { personalFields } from '../../src/products/world.ts';
import { type Client, clientOf, createClient, operationOf } from '../support/client.ts';
import { control } from '../support/control.ts';
import { readEvents } from '../support/events.ts';
import { buy, initiate, purchaseOf } from '../support/requests.ts';
import { ownTimers } from '../support/timers.ts';

const PURCHASE = purchaseOf('micro_health');
const NIN = String(PURCHASE.nin_number);
const KEY = 'my-secret-key';
const SECRETS = new RegExp(`${NIN}|secret|ecret-ke`);
const INITIATE = operationOf('initiateMicroHealthSubscription').path;

/** A fixture merchant with an unusual key. */
function createSecretClient(key = KEY): Client {
  const merchants = [{ id: 1, name: 'Secretive', api_key: key }];
  const { sandbox } = createClient({ fixtures: { 'merchants.json': { merchants } } });
  return clientOf(sandbox, sandbox.merchant(key));
}

const post = ({ sandbox, merchant }: Client, body: string, headers = {}, path = INITIATE) =>
  sandbox.fetch(path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${merchant.apiKey}`,
      'content-type': 'application/json',
      ...headers,
    },
    body,
  });

/** Every place that shows a merchant's calls. */
async function shownOf({ merchant }: Client): Promise<string> {
  const { journal } = merchant;
  const timeout = await journal.await({ status: 599, timeout: 'PT0S' }).catch((error) => error);
  const shown = [journal.list(), merchant.snapshot().world.journal, timeout.problem];
  return JSON.stringify(shown);
}

describe('a journal shows no identity number and no key', () => {
  test.each([
    ['a field', JSON.stringify({ ...PURCHASE, nin_number: NIN })],
    ['a number', JSON.stringify(PURCHASE)],
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
    ['a text, or the name of a field', JSON.stringify({ vehicle: `of ${KEY}`, [KEY]: [KEY] })],
    ['percent-encoded text', 'vehicle=my%2Dsecret%2dkey'],
    ['text that is percent-encoded from its first letter on', 'vehicle=%6dy-secret-key'],
    ['escapes in broken JSON', '{"vehicle":"m\\u0079-\\u0073ecret-ke\\u0079'],
    ['escapes in JSON in JSON', JSON.stringify('{"vehicle":"my\\u002Dsecret\\u002dkey"}')],
  ])('if it is in %s of a body', async (_, body) => {
    const client = createSecretClient();
    await post(client, body, { 'nin-number': NIN });
    const [entry] = client.merchant.journal.list();
    expect(JSON.stringify(entry?.request.body)).toContain('[redacted]');
    expect(await shownOf(client)).not.toMatch(SECRETS);
  });

  test.each(['nin_number', 'nin', 'id_number'])(
    'if its schema marks %s as personal',
    async (name) => {
      expect(personalFields).toContain(name);
      const client = createSecretClient();
      await post(client, JSON.stringify({ [name]: NIN, first_name: 'Ada' }));
      const [entry] = client.merchant.journal.list();
      expect(entry?.request.body).toEqual({ [name]: '[redacted]', first_name: 'Ada' });
    },
  );

  test('if the key of the call is in a path, a query, a header name or a header value', async () => {
    const client = createSecretClient();
    const headers = { [`x-${KEY}`]: '1', 'x-other': `key ${KEY}`, referer: `/?key=${KEY}` };
    for (const path of [`/${KEY}`, '/my%2Dsecret%2dkey', `/?a=${KEY}`, '/?a=%6Dy-secret-ke%79']) {
      await post(client, '{}', { ...headers, authorization: `bearer ${KEY}` }, path);
    }
    const shown = await shownOf(client);
    expect(shown).not.toMatch(SECRETS);
    expect(shown).toContain('"path":"/[redacted]"');
    expect(shown).toContain('"path":"/?a=[redacted]"');
    expect(shown).toContain('"x-[redacted]":"1"');
    expect(shown).toContain('"x-other":"key [redacted]"');
  });

  test('if the key has characters that a path encodes', async () => {
    const { sandbox } = createClient({ autoMerchants: true });
    const client = clientOf(sandbox, sandbox.merchant('hunter2+of/worker=9'));
    const key = client.merchant.apiKey;
    const encoded = encodeURIComponent(key);
    await client.call('validateMicroHealthPolicy', { policy_no: key });
    await client.call('listMicroHealthSubscriptions', { start_date: key });
    await post(client, '{}', {}, `/${encoded.toLowerCase()}`);
    const shown = await shownOf(client);
    for (const form of [key, encoded, encoded.toLowerCase()]) expect(shown).not.toContain(form);
  });

  test('if the key has characters that JSON escapes', async () => {
    const client = createSecretClient('hunter"2\\of');
    await post(client, JSON.stringify({ vehicle: client.merchant.apiKey }).slice(0, -1));
    expect(await shownOf(client)).not.toContain('hunter');
  });

  test('if the key is a number, or in the response of a fault', async () => {
    const client = createSecretClient('9081726354');
    const body = { told: ['9081726354'] };
    client.merchant.faults.add({ stage: 'before', effect: { kind: 'respond', status: 503, body } });
    await post(client, '{"vehicle":9081726354,"other":90817263545}');
    const [entry] = client.merchant.journal.list();
    expect(entry?.request.body).toEqual({ vehicle: '[redacted]', other: 90817263545 });
    expect(entry?.fault?.effect).toMatchObject({ body: { told: ['[redacted]'] } });
    expect(await shownOf(client)).not.toContain('"9081726354');
  });

  test('if the key was rotated during the call', async () => {
    const timers = ownTimers();
    const client = createSecretClient();
    const headers = { 'sandbox-fault': 'before; delay; ms=1000' };
    const slow = post(client, JSON.stringify({ vehicle: KEY }), headers);
    await timers.started();
    client.merchant.rotateKey();
    await timers.pass(1000);
    await slow;
    expect(client.merchant.journal.list()).toMatchObject([
      { request: { body: { vehicle: '[redacted]' } } },
    ]);
    expect(JSON.stringify(client.merchant.snapshot())).not.toContain(KEY);
  });

  test('if it is the key of another merchant, or in a header for secrets', async () => {
    const client = createClient();
    const other = client.sandbox.createMerchant().apiKey;
    const names = ['proxy-authorization', 'cookie', 'x-api-key', 'api-key'];
    const headers = Object.fromEntries(names.map((name) => [name, 'swordfish']));
    await client.call('getMotorQuote', { product_id: `my ${other}` }, { headers });
    await client.call('listMicroHealthSubscriptions', { page: 'sk_sandbox_demo' });
    expect(await shownOf(client)).not.toMatch(new RegExp(`${other}|swordfish|sk_sandbox_demo`));
  });
});

test('a journal shows everything else as it was sent', async () => {
  const client = createClient();
  await buy(client, 'micro_health');
  const [, entry] = client.merchant.journal.list();
  expect(entry?.request.body).toEqual({ ...PURCHASE, nin_number: '[redacted]' });
  await client.call('getMotorQuote', {}, { raw: 'nonsense: a nincompoop = 1' });
  expect(client.merchant.journal.list()[0]?.request.body).toBe('nonsense: a nincompoop = 1');
});

test('a call with two keys gets 401 and is in no journal', async () => {
  const client = createSecretClient();
  for (const second of ['Bearer sk_sandbox_other', `Bearer ${KEY}`, 'Basic me', '']) {
    const headers = new Headers({ authorization: `Bearer ${KEY}` });
    headers.append('authorization', second);
    expect((await client.sandbox.fetch(INITIATE, { method: 'POST', headers })).status).toBe(401);
  }
  expect(client.merchant.journal.list()).toEqual([]);
});

describe('a sandbox without redaction', () => {
  test('shows keys and identity numbers in every view of its journal', async () => {
    const client = createClient({ redact: false });
    const { sandbox, merchant } = client;
    const effect = { kind: 'respond', status: 503, body: { told: merchant.apiKey } } as const;
    merchant.faults.add({ stage: 'after', effect });
    const events = readEvents(await sandbox.fetch('/_sandbox/events'));
    onTestFinished(() => events.cancel());
    await post(client, JSON.stringify(PURCHASE));
    const [entry] = merchant.journal.list();
    expect(entry).toMatchObject({
      request: { headers: { authorization: `Bearer ${merchant.apiKey}` }, body: PURCHASE },
      fault: { effect },
    });
    expect(merchant.journal.get(entry?.id ?? '')).toEqual(entry);
    expect(await merchant.journal.await()).toEqual([entry]);
    expect(sandbox.journal()).toMatchObject([entry]);
    const overHttp = await control(sandbox, 'listJournal', { key: merchant.apiKey });
    expect(overHttp.body.data).toEqual([entry]);
    expect(await events.take(1)).toMatchObject([{ data: entry }]);
    const unknown = { authorization: 'Bearer typo' };
    await client.call('getMotorQuote', {}, { headers: unknown });
    expect(sandbox.journal()[0]?.request.headers).toMatchObject(unknown);
  });

  test('does not let callers change its entries', async () => {
    const client = createClient({ redact: false });
    const body = { told: 'once' };
    client.merchant.faults.add({ stage: 'before', effect: { kind: 'respond', status: 503, body } });
    await post(client, '{}');
    const toldBy = () => client.merchant.journal.list()[0]?.fault?.effect as { body: object };
    Object.assign(toldBy().body, { told: 'twice' });
    expect(toldBy()).toMatchObject({ body });
  });

  test('still hides them in snapshots', async () => {
    const [keeping, redacting] = [createClient({ redact: false }), createClient()];
    for (const client of [keeping, redacting]) await initiate(client, 'micro_health');
    const saved = keeping.merchant.snapshot();
    expect(saved).toEqual(redacting.merchant.snapshot());
    for (const { merchant } of [keeping, redacting]) merchant.restore(saved);
    expect(keeping.merchant.journal.list()).toEqual(redacting.merchant.journal.list());
  });
});
