import { describe, expect, onTestFinished, test } from 'vitest';
import { WorldEvent as EventSchema } from '../../src/control/world-event.ts';
import { createSandbox, type Merchant, type WorldEvent } from '../../src/index.ts';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { MAX_JOURNAL_ENTRIES } from '../../src/world/journal.ts';
import { createClient, START } from '../support/client.ts';
import { control } from '../support/control.ts';
import { readEvents } from '../support/events.ts';
import { initiate, UNTIL_EXPIRED } from '../support/requests.ts';

const NOW = '2026-01-31T10:00:00.000Z';
const LATER = '2026-01-31T10:15:00.000Z';
const DROP = { stage: 'after', effect: { kind: 'drop' } } as const;
const OTHERS = { id: 3, name: 'Merchant 3' };

/** The events of a journal, newest first. Each is as its schema says. */
function eventsOf(merchant: Merchant): WorldEvent[] {
  const items = merchant.journal.list({ events: true, limit: MAX_JOURNAL_ENTRIES });
  const events = items.filter((item) => !('request' in item));
  for (const event of events) expect(EventSchema().parse(event)).toEqual(event);
  return events as WorldEvent[];
}

const summariesOf = (merchant: Merchant) => eventsOf(merchant).map(({ summary }) => summary);

describe('a World event', () => {
  test('is a move of the clock, with what it ended', async () => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    client.merchant.clock.advance(UNTIL_EXPIRED);
    const [event] = eventsOf(client.merchant);
    expect(event).toMatchObject({
      merchant: OTHERS,
      kind: 'clock',
      from: NOW,
      mode: 'frozen',
      effects: [{ kind: 'purchase_expired', operation: 'initiateMotorPolicy', token }],
      more: 0,
    });
    expect(event?.summary).toMatch(/^clock \+15 min.*, 1 purchase expired$/);
  });

  test('is a change of the mode, and what changes both is two', () => {
    const { merchant } = createClient();
    merchant.clock.set({ now: LATER, mode: 'frozen' });
    merchant.clock.set({ now: '2026-01-31T11:15:00Z', mode: 'running' });
    expect(summariesOf(merchant)).toEqual(['clock running', 'clock +1 h', 'clock +15 min']);
  });

  test('is no change that changes nothing', () => {
    const { merchant } = createClient();
    merchant.clock.set({ mode: 'frozen' });
    merchant.clock.advance('PT0S');
    merchant.faults.clear();
    expect(() => merchant.clock.set({ now: '2000-01-01' })).toThrow('forward only');
    expect(eventsOf(merchant)).toEqual([]);
  });

  test('is a fault that was added or removed, without what may be large or secret', () => {
    const { merchant } = createClient();
    const added = merchant.faults.add({
      match: { operation: 'verifyMotorPolicy', body: { nin_number: '12345678901' } },
      stage: 'before',
      effect: { kind: 'respond', status: 503, headers: { 'x-key': 'secret' }, body: 'secret' },
    });
    merchant.faults.remove(added.id);
    merchant.faults.add(DROP);
    merchant.faults.clear();
    const events = eventsOf(merchant).reverse();
    const rule = {
      ...{ id: 'fault-1', match: { operation: 'verifyMotorPolicy' }, stage: 'before' },
      ...{ effect: { kind: 'respond', status: 503 }, skip: 0, times: 1, probability: 1 },
    };
    expect(events.slice(0, 2)).toMatchObject([
      { kind: 'fault_added', rule },
      { kind: 'fault_removed', rule },
    ]);
    expect(events.map(({ summary }) => summary)).toEqual([
      'fault added: verifyMotorPolicy before; respond; status=503',
      'fault removed: verifyMotorPolicy before; respond; status=503',
      'fault added: after; drop',
      'fault removed: after; drop',
    ]);
    expect(JSON.stringify(events)).not.toMatch(/secret|12345678901/);
  });

  test('is a reset, the first event of the new World', async () => {
    const { call, merchant } = createClient();
    await call('listMotorPolicies');
    merchant.clock.advance('PT15M');
    merchant.reset();
    expect(merchant.journal.list({ events: true })).toEqual([
      { at: NOW, merchant: OTHERS, summary: 'World reset', kind: 'reset' },
    ]);
  });

  test('is a rewind, which takes back the events since the call and those that it caused', async () => {
    const { call, merchant } = createClient();
    merchant.clock.advance('PT15M');
    const headers = { 'sandbox-fault': 'before; advance; by=P1D' };
    await call('listMotorPolicies', {}, { headers });
    expect(summariesOf(merchant)).toEqual(['clock +1 day', 'clock +15 min']);
    await call('listMotorPolicies');
    merchant.faults.add(DROP);
    const ids = merchant.journal.list().map(({ id }) => id);
    merchant.rewind(ids[1] as string);
    expect(eventsOf(merchant)).toEqual([
      {
        ...{ at: LATER, merchant: OTHERS, summary: `World rewound to before ${ids[1]}` },
        ...{ kind: 'rewind', to: ids[1] },
      },
      expect.objectContaining({ kind: 'clock', summary: 'clock +15 min', at: LATER }),
    ]);
  });

  test('is a restore, after the events of the snapshot', async () => {
    const { call, merchant } = createClient();
    merchant.faults.add(DROP);
    const saved = merchant.snapshot();
    merchant.clock.advance('PT15M');
    merchant.restore(saved);
    await call('getMotorQuote', { product_id: 0 }).catch(() => undefined);
    expect(summariesOf(merchant)).toEqual(['World restored', 'fault added: after; drop']);
  });

  test('is one of a fault that lets time pass, before its call and with what that ended', async () => {
    const client = createClient();
    await initiate(client, 'motor');
    const headers = { 'sandbox-fault': 'before; advance; by=PT16M' };
    await client.call('listMotorPolicies', {}, { headers });
    const items = client.merchant.journal.list({ events: true });
    expect(items.map(({ summary }) => summary)).toEqual([
      '0 listed',
      'clock +16 min, 1 purchase expired',
      expect.stringContaining('·'),
    ]);
  });
});

describe('the events of a World', () => {
  test('stand in their places in lists, over HTTP and of all merchants, and only if asked for', async () => {
    const { call, sandbox, merchant } = createClient();
    await call('listMotorPolicies');
    merchant.clock.advance('PT15M');
    await call('listGroupLifePolicies');
    const items = merchant.journal.list({ events: true });
    const names = items.map((item) => ('request' in item ? item.operation : item.kind));
    expect(names).toEqual(['listGroupLifePolicies', 'clock', 'listMotorPolicies']);
    const key = merchant.apiKey;
    const query = { events: 'true' };
    expect((await control(sandbox, 'listJournal', { key, query })).body.data).toEqual(items);
    expect((await control(sandbox, 'listSandboxJournal', { query })).body.data).toEqual(items);
    expect(sandbox.journal({ events: true })).toEqual(items);
    expect(sandbox.journal()).toHaveLength(2);
    expect(merchant.journal.list({ events: true, operation: 'listMotorPolicies' })).toHaveLength(2);
    expect(merchant.journal.list({ events: true, limit: 2 })).toEqual(items.slice(0, 2));
    const no = await control(sandbox, 'listJournal', { key, query: { events: 'yes' } });
    expect([no.status, no.body.errors]).toEqual([
      422,
      ['events: expected true or false, got "yes"'],
    ]);
  });

  test('are the same in the event stream, and sent to who comes back', async () => {
    const { call, sandbox, merchant } = createClient();
    const read = async (headers = {}) => {
      const events = readEvents(await sandbox.fetch('/_sandbox/events', { headers }));
      onTestFinished(() => events.cancel());
      return events;
    };
    const events = await read();
    await call('listMotorPolicies');
    const [first] = await events.take(1);
    merchant.clock.advance('PT15M');
    merchant.faults.add(DROP);
    const told = (await events.take(2)).map(({ data }) => data);
    expect(told.toReversed()).toEqual(eventsOf(merchant));
    const again = await read({ 'last-event-id': first?.id });
    expect((await again.take(2)).map(({ data }) => data)).toEqual(told);
  });

  test('are lines of the text', async () => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    client.merchant.clock.advance('PT15M1S');
    client.merchant.faults.add(DROP);
    const lines = client.merchant.journal.text({ events: true }).split('\n');
    expect(lines.slice(lines.findIndex((line) => line.includes('clock +')))).toEqual([
      '10:15:01 clock +15 min 1 s, 1 purchase expired',
      `  expired  initiateMotorPolicy ${token} at 2026-01-31 10:15:00`,
      '10:15:01 fault added: after; drop',
      '',
    ]);
    expect(client.merchant.journal.text()).not.toContain('clock +');
  });

  test('go with a snapshot, in their places', async () => {
    const { call, merchant, sandbox } = createClient();
    merchant.clock.advance('PT15M');
    await call('listMotorPolicies');
    merchant.faults.add(DROP);
    merchant.faults.clear();
    await call('listGroupLifePolicies');
    merchant.clock.set({ mode: 'running' });
    const other = sandbox.createMerchant();
    other.restore(JSON.parse(JSON.stringify(merchant.snapshot())));
    const [restored, ...copied] = other.journal.list({ events: true });
    expect(restored).toMatchObject({ kind: 'restore', merchant: { id: other.id } });
    const plain = (items: readonly { merchant: unknown }[]) =>
      items.map(({ merchant: _, ...item }) => ({ ...item, received_at: null, elapsed_ms: null }));
    expect(plain(copied)).toEqual(plain(merchant.journal.list({ events: true })));
    const [newest] = merchant.journal.list();
    other.rewind(newest?.id as string);
    expect(summariesOf(other).slice(1)).toEqual([
      'fault removed: after; drop',
      'fault added: after; drop',
      'clock +15 min',
    ]);
  });

  test('are gone when the journal is cleared', async () => {
    const { merchant } = createClient();
    merchant.clock.advance('PT15M');
    merchant.journal.clear();
    expect(merchant.journal.list({ events: true })).toEqual([]);
  });

  test('are at most a thousand, and none is older than the oldest call', async () => {
    const { call, merchant } = createClient();
    for (let time = 0; time < MAX_JOURNAL_ENTRIES + 5; time++) merchant.clock.advance('PT1S');
    expect(eventsOf(merchant)).toHaveLength(MAX_JOURNAL_ENTRIES);
    const kept = () =>
      (merchant.snapshot().world.journal as object[]).filter((item) => 'kind' in item);
    for (let time = 0; time < MAX_JOURNAL_ENTRIES; time++) await call('getMotorQuote', {});
    expect(kept()).toHaveLength(MAX_JOURNAL_ENTRIES);
    await call('getMotorQuote', {});
    expect(kept()).toEqual([]);
  });

  test('take no more bytes than the journal has', () => {
    const limits = { maxJournalBytes: 2_000 };
    const { sandbox } = openSandbox({ now: START, clock: 'frozen' }, { limits });
    const merchant = sandbox.createMerchant();
    for (let time = 0; time < 10; time++) merchant.clock.advance('PT1S');
    expect(eventsOf(merchant)).toHaveLength(4);
  });

  test('of a World that nobody has used since its reset are in the journal of all', () => {
    const sandbox = createSandbox({ now: START, clock: 'frozen' });
    sandbox.resetAll();
    expect(sandbox.journal({ events: true }).map(({ summary }) => summary)).toEqual([
      'World reset',
      'World reset',
    ]);
    expect(eventsOf(sandbox.createMerchant())).toEqual([]);
  });
});
