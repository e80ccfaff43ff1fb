import { describe, expect, onTestFinished, test } from 'vitest';
import type { JournalEntry } from '../../src/index.ts';
import { openSandbox, sandboxOf } from '../../src/sandbox/open-sandbox.ts';
import { startServer } from '../../src/tools/serve.ts';
import { NotStoredError } from '../../src/world/tables.ts';
import {
  BASE,
  type Client,
  callOperation,
  clientOf,
  createClient,
  operationOf,
  requestOf,
  START,
} from '../support/client.ts';
import { readEvents } from '../support/events.ts';
import { buy, initiate, purchaseOf } from '../support/requests.ts';

/** A sandbox over a socket, and everything that shows its calls. */
async function openWatched() {
  let logged = '';
  const write = (text: string, done: () => void) => {
    logged += text;
    done();
  };
  const output = { isTerminal: false, columns: undefined, write, abandon: () => undefined };
  const server = await startServer({ port: 0 }, { log: { mode: 'json', output, colours: false } });
  onTestFinished(() => server.close());
  const seen: JournalEntry[] = [];
  const sandbox = sandboxOf(server.core, { onCall: (entry) => void seen.push(entry) });
  const events = readEvents(await fetch(`${server.url}/_sandbox/events`));
  onTestFinished(() => events.cancel());
  const read = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: 'Bearer sk_sandbox_demo', ...init.headers };
    return (await fetch(`${server.url}/_sandbox/${path}`, { ...init, headers })).json();
  };
  const linesOf = () => logged.split('\n').filter((line) => line.includes('"id":"req-'));
  return { url: server.url, sandbox, seen, events, read, linesOf };
}

describe('a journal entry', () => {
  test('is the same in the journal, await, journal/all, events, onCall and the log', async () => {
    const { url, sandbox, seen, events, read, linesOf } = await openWatched();
    const merchant = sandbox.merchant('sk_sandbox_demo');
    const fault = { headers: { 'sandbox-fault': 'after; delay; ms=2' } };
    const input = { ...purchaseOf('motor'), colour: 'red' };
    await callOperation(fetch, url, merchant.apiKey, 'initiateMotorPolicy', input, fault);
    const entry = merchant.journal.list()[0] as JournalEntry;
    expect(entry).toMatchObject({
      merchant: { id: 1, name: 'Demo Merchant' },
      received_at: expect.stringMatching(/^\d{4}-.*Z$/),
      elapsed_ms: expect.any(Number),
      fault: { stage: 'after', effect: { kind: 'delay', ms: 2 } },
      hint: expect.stringContaining('colour'),
      assumptions: expect.arrayContaining(['motor-dates']),
      problems: [],
      changes: [{ change: 'added', table: 'motor.pending' }],
    });

    const overHttp = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const views = {
      get: merchant.journal.get(entry.id),
      await: (await merchant.journal.await())[0],
      all: sandbox.journal()[0],
      onCall: seen[0],
      event: (await events.take(1))[0]?.data,
      'GET journal': (await read('journal')).data[0],
      'GET journal/{id}': await read(`journal/${entry.id}`),
      'POST journal/await': (await read('journal/await', overHttp)).data[0],
      'GET journal/all': (await read('journal/all')).data[0],
      // The log is written after the response.
      log: JSON.parse(linesOf()[0] ?? ''),
    };
    for (const [view, shown] of Object.entries(views)) expect(shown, view).toEqual(entry);
    for (const [view, shown] of Object.entries(views)) {
      expect(Object.keys(shown as object), view).toEqual(Object.keys(entry));
    }
  });

  test('of a call without a valid key is the same in journal/all, events, onCall and the log', async () => {
    const { url, sandbox, seen, events, read, linesOf } = await openWatched();
    await fetch(`${url}/api/merchant/motor_quote`, { headers: { authorization: 'sk_nobody' } });
    const [entry] = sandbox.journal();
    expect(entry).toMatchObject({
      id: 'req-0-1',
      merchant: null,
      hint: expect.stringContaining('Bearer'),
      problems: [{ message: 'Unauthenticated.' }],
      changes: [],
    });
    expect(seen).toEqual([entry]);
    expect(linesOf().map((line) => JSON.parse(line))).toEqual([entry]);
    expect((await events.take(1)).map(({ data }) => data)).toEqual([entry]);
    expect((await read('journal/all')).data).toEqual([entry]);
  });

  test.each<[string, string, object, string?]>([
    ['a success', 'listMotorPolicies', {}],
    ['an ignored field', 'getMotorQuote', { vehicle_value: 1, color: 'red' }],
    ['a refused field', 'initiateMicroHealthSubscription', { phone_no: '1' }],
    ['a fault instead of the operation', 'listMotorPolicies', {}, 'before; respond; status=503'],
    ['a fault instead of the response', 'verifyMotorPolicy', {}, 'after; respond; status=503'],
  ])('has hint and assumptions as the headers of the response: %s', async (...given) => {
    const [, operation, input, fault] = given;
    const { merchant, sandbox } = createClient();
    const init = { headers: { 'sandbox-fault': fault } };
    const request = requestOf(operationOf(operation), BASE, merchant.apiKey, input, init);
    const { headers } = await sandbox.fetch(request);
    const [entry] = merchant.journal.list();
    expect(entry?.hint).toBe(headers.get('sandbox-hint'));
    expect(entry?.assumptions.join(', ')).toBe(headers.get('sandbox-assumptions') ?? '');
  });

  test('of a snapshot has no real duration, and the merchant of the World that restored it', async () => {
    const client = createClient();
    await initiate(client, 'motor');
    const [before] = client.merchant.journal.list();
    const other = client.sandbox.createMerchant({ name: 'Other' });
    other.restore(client.merchant.snapshot());
    const merchant = { id: other.id, name: 'Other' };
    expect(other.journal.list()).toEqual([
      { ...before, received_at: null, elapsed_ms: null, merchant },
    ]);
  });
});

describe('the changes of a journal entry', () => {
  /** What the newest call changed, in words. */
  const changedBy = ({ merchant }: Client) =>
    merchant.journal
      .list()[0]
      ?.changes.map(({ change, table, key }) => `${change} ${table} ${key}`);

  test('are the pending purchase, then the used token and the policy', async () => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    expect(changedBy(client)).toEqual([`added motor.pending ${token}`]);
    const { body } = await client.call('verifyMotorPolicy', { token });
    expect(changedBy(client)?.toSorted()).toEqual([
      `added motor.policies ${body.data.policy_number}`,
      `added motor.used ${token}`,
      `removed motor.pending ${token}`,
    ]);
  });

  test('are a changed policy for a renewal', async () => {
    const client = createClient();
    const { policy_no } = await buy(client, 'micro_health');
    const input = { ...purchaseOf('micro_health'), policy_no };
    expect((await client.call('topUpMicroHealthSubscription', input)).status).toBe(200);
    expect(changedBy(client)).toEqual([`changed micro_health.policies ${policy_no}`]);
  });

  test('are there when the response was lost', async () => {
    const client = createClient();
    const token = await initiate(client, 'group_life');
    const headers = { 'sandbox-fault': 'after; drop' };
    await client.call('verifyGroupLifePolicy', { token }, { headers }).catch(() => undefined);
    const number = client.merchant.records({ family: 'group_life' }).data[0]?.policy_number;
    expect(changedBy(client)).toContain(`added group_life.policies ${number}`);
  });

  test('are the uses of fault rules, before and after the operation', async () => {
    const client = createClient();
    const { faults } = client.merchant;
    const twice = faults.add({ stage: 'before', effect: { kind: 'delay', ms: 0 }, times: 2 });
    await client.call('listMotorPolicies');
    expect(changedBy(client)).toEqual([`changed faults ${twice.id}`]);
    const token = await initiate(client, 'motor');
    expect(changedBy(client)).toEqual([
      `removed faults ${twice.id}`,
      `added motor.pending ${token}`,
    ]);
    const once = faults.add({ stage: 'after', effect: { kind: 'delay', ms: 0 } });
    const other = await initiate(client, 'motor');
    expect(changedBy(client)).toEqual([
      `removed faults ${once.id}`,
      `added motor.pending ${other}`,
    ]);
  });

  test('are none for a refusal, a read, and a change that could not be saved', async () => {
    const { sandbox, store } = openSandbox({ now: START, clock: 'frozen', seed: 7 });
    const client = clientOf(sandbox, sandbox.createMerchant());
    await client.call('verifyMotorPolicy', { token: 'unknown' });
    expect(changedBy(client)).toEqual([]);
    await client.call('listMotorPolicies');
    expect(changedBy(client)).toEqual([]);
    const { tables } = store.byKey.get(client.merchant.apiKey)?.world ?? {};
    Object.assign(tables ?? {}, {
      recorder: () => {
        throw new NotStoredError('The disk is full.');
      },
    });
    expect((await client.call('initiateMotorPolicy', purchaseOf('motor'))).status).toBe(507);
    expect(changedBy(client)).toEqual([]);
  });

  test('are not the purchases that expired in the meantime, whether or not changes are saved', async () => {
    const { sandbox, store } = openSandbox({ now: START, clock: 'frozen', seed: 7 });
    for (const recorder of [undefined, () => undefined]) {
      const client = clientOf(sandbox, sandbox.createMerchant());
      const { world } = store.byKey.get(client.merchant.apiKey) ?? {};
      Object.assign(world?.tables ?? {}, { recorder });
      const expired = await initiate(client, 'motor');
      client.merchant.clock.advance('PT14M');
      const token = await initiate(client, 'motor');
      // Without the control plane, which would expire the first one itself.
      Object.assign(world ?? {}, { clock: { ...world?.clock, at: Date.parse(START) + 1_200_000 } });
      await client.call('verifyMotorPolicy', { token });
      expect(changedBy(client)).toHaveLength(3);
      expect(changedBy(client)?.join()).not.toContain(expired);
    }
  });
});
