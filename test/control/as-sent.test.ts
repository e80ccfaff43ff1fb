import { describe, expect, onTestFinished, test } from 'vitest';
import { BASE, type Client, createClient, operationOf, requestOf } from '../support/client.ts';
import { control } from '../support/control.ts';
import { readEvents } from '../support/events.ts';
import { initiate, purchaseOf } from '../support/requests.ts';

const BODY = purchaseOf('micro_health');
const NIN = BODY.nin_number;

/** Makes a call whose answer a fault may change. */
const send = ({ sandbox, merchant }: Client, operationId: string, body: unknown = {}) =>
  sandbox.fetch(requestOf(operationOf(operationId), BASE, merchant.apiKey, body));

describe('a sandbox that is told not to redact', () => {
  test('shows keys and identity numbers as they were sent, however its journal is read', async () => {
    const client = createClient({ redact: false });
    const { sandbox, merchant } = client;
    const fault = { kind: 'respond', status: 503, body: { told: merchant.apiKey } } as const;
    merchant.faults.add({ stage: 'after', effect: fault });
    await send(client, 'initiateMicroHealthSubscription', BODY);
    const [entry] = merchant.journal.list();
    expect(entry?.request.body).toEqual(BODY);
    expect(entry?.request.headers.authorization).toBe(`Bearer ${merchant.apiKey}`);
    expect(entry?.fault?.effect).toEqual(fault);
    expect(merchant.journal.get(entry?.id ?? '')).toEqual(entry);
    expect(await merchant.journal.await()).toEqual([entry]);
    expect(sandbox.journal()[0]).toMatchObject(entry ?? {});
    const missed = await merchant.journal.await({ status: 599, timeout: 'PT0S' }).catch((e) => e);
    expect(missed.problem.misses[0].entry).toEqual(entry);
    const overHttp = await control(sandbox, 'listJournal', { key: merchant.apiKey });
    expect(overHttp.body.data).toEqual([entry]);
  });

  test('sends them to those who watch', async () => {
    const client = createClient({ redact: false });
    const events = readEvents(await client.sandbox.fetch(new Request(`${BASE}/_sandbox/events`)));
    onTestFinished(() => events.cancel());
    await initiate(client, 'micro_health');
    const [seen] = await events.take(1);
    expect(seen?.data.request.body.nin_number).toEqual(NIN);
  });

  test('shows the key that nobody has', async () => {
    const client = createClient({ redact: false });
    await client.call('getMotorQuote', {}, { headers: { authorization: 'Bearer typo' } });
    expect(client.sandbox.journal()[0]?.request.headers.authorization).toBe('Bearer typo');
  });

  test('lets nobody change what it keeps', async () => {
    const client = createClient({ redact: false });
    const body = { told: 'once' };
    client.merchant.faults.add({ stage: 'before', effect: { kind: 'respond', status: 503, body } });
    await send(client, 'getMotorQuote');
    const [entry] = client.merchant.journal.list();
    const effect = entry?.fault?.effect as { body: { told: string } };
    effect.body.told = 'twice';
    expect(client.merchant.journal.list()[0]?.fault?.effect).toMatchObject({ body });
  });

  test('takes them out of snapshots, which may be kept anywhere', async () => {
    const client = createClient({ redact: false });
    await initiate(client, 'micro_health');
    const redacting = createClient();
    await initiate(redacting, 'micro_health');
    expect(client.merchant.snapshot()).toEqual(redacting.merchant.snapshot());
    client.merchant.restore(client.merchant.snapshot());
    expect(client.merchant.journal.list()).toEqual(redacting.merchant.journal.list());
  });
});

test('whether it redacts is told to the sandbox, and comes with no World', async () => {
  const keeping = createClient({ redact: false });
  const client = createClient();
  client.merchant.restore(keeping.merchant.snapshot());
  await initiate(client, 'micro_health');
  const [entry] = client.merchant.journal.list();
  expect(entry?.request.headers.authorization).toBe('[redacted]');
  expect(entry?.request.body).toMatchObject({ nin_number: '[redacted]' });
});
