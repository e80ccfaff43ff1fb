import { describe, expect, test } from 'vitest';
import { ASSUMPTIONS } from '../../src/products/world.ts';
import { createClient, createDemoClient } from '../support/client.ts';
import { buy, exampleOf, initiate, purchaseOf } from '../support/requests.ts';
import { connectTo, REVISIONS } from './agent.ts';

const TOOLS = [
  'create_merchant',
  'list_calls',
  'await_calls',
  'advance_clock',
  'add_fault',
  'clear_faults',
  'list_records',
  'rewind',
  'reset',
  'explain_assumption',
];

/** A merchant, and an agent with its key. */
async function agentOf(client = createClient()) {
  const { sandbox, merchant } = client;
  return { client, merchant, agent: await connectTo(sandbox, { key: merchant.apiKey }) };
}

describe.each(REVISIONS)('under the revision %j', (mode) => {
  test('an agent finds the tools, the resources and the address', async () => {
    const agent = await connectTo(createDemoClient().sandbox, { mode });
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    for (const { description, inputSchema, annotations } of tools) {
      expect(description).toMatch(/\bUse it\b/);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(annotations).toMatchObject({ openWorldHint: false });
    }
    const named = (hint: 'readOnlyHint' | 'destructiveHint') =>
      tools.flatMap(({ name, annotations }) => (annotations?.[hint] ? [name] : []));
    expect(named('readOnlyHint')).toEqual([
      'list_calls',
      'await_calls',
      'list_records',
      'explain_assumption',
    ]);
    expect(named('destructiveHint')).toEqual(['clear_faults', 'rewind', 'reset']);
    const { resources } = await agent.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'sandbox://address',
      'sandbox://llms.txt',
      'sandbox://openapi.json',
      'sandbox://assumptions',
    ]);
    expect(agent.client.getInstructions()).toContain('Base URL: http://sandbox\n');
    expect(agent.client.getInstructions()).toContain('API key: sk_sandbox_demo ');
    expect(await agent.use('advance_clock', { by: 'PT15M' })).toContain('2026-01-31T10:15:00');
  });
});

describe('list_calls', () => {
  test('says why a call was refused, before the calls that worked', async () => {
    const { client, agent } = await agentOf();
    await client.call('initiateMicroHealthSubscription', purchaseOf('micro_health', { amount: 1 }));
    await client.call('listMotorPolicies');
    expect((await agent.use('list_calls')).split('\n')).toEqual([
      '2 calls, 1 refused or failed.',
      '2026-01-31',
      '10:00:00 POST /api/merchant/micro_health/initiate 422  The amount field must be 700, the premium of this plan.',
      '  initiateMicroHealthSubscription req-3-1  "Ada Obi · ₦1 · monthly"',
      expect.stringMatching(/^ {2}sent {5}amount: 1, /),
      expect.stringMatching(/^ {2}assumptions: .*\bamount-check\b/),
      '10:00:00 GET /api/merchant/get_comprehensive_motor_policies 200',
      '  listMotorPolicies req-3-2  "0 listed"',
    ]);
  });

  test('shows a fault, a hint, and bodies on request', async () => {
    const { client, agent } = await agentOf();
    await client.sandbox.fetch('/api/merchant/nothing', {
      headers: { authorization: `Bearer ${client.merchant.apiKey}` },
    });
    await client
      .call('getMotorQuote', exampleOf('getMotorQuote'), {
        headers: { 'sandbox-fault': 'after; malformed' },
      })
      .catch(() => undefined);
    const short = await agent.use('list_calls');
    expect(short).toContain('2 calls, 2 refused or failed.');
    expect(short).toContain('200  fault after; malformed: processed, broken JSON sent');
    expect(short).toContain('/api/merchant/nothing 404  ');
    expect(short).not.toContain('request: {');
    expect(await agent.use('list_calls', { bodies: true, operation: 'getMotorQuote' })).toContain(
      'request: {"product_id"',
    );
  });

  test('does not count a call that was only slow', async () => {
    const { client, agent } = await agentOf();
    const headers = { 'sandbox-fault': 'before; delay; ms=1' };
    await client.call('listMotorPolicies', {}, { headers });
    const told = await agent.use('list_calls');
    expect(told).toContain('1 call, 0 refused or failed.');
    expect(told).toContain('200  fault before; delay; ms=1: processing delayed by 1 ms');
  });

  test('does not count a call before which time passed', async () => {
    const { client, agent } = await agentOf();
    const headers = { 'sandbox-fault': 'before; advance; by=PT1M' };
    await client.call('listMotorPolicies', {}, { headers });
    const told = await agent.use('list_calls');
    expect(told).toContain('1 call, 0 refused or failed.');
    expect(told).toContain('200  fault before; advance; by=PT1M: clock moved, then processed');
  });

  test('shows ten calls unless told otherwise, and says how many are left', async () => {
    const { client, agent } = await agentOf();
    for (let call = 0; call < 12; call++) await client.call('listMotorPolicies');
    expect(await agent.use('list_calls')).toMatch(/2 more calls; set limit to see more\.$/);
    expect((await agent.use('list_calls', { limit: 12 })).match(/^10:/gm)).toHaveLength(12);
  });

  test('without calls says so, and names the operation that was meant', async () => {
    const { agent } = await agentOf();
    expect(await agent.use('list_calls')).toBe('No calls.');
    await expect(agent.use('list_calls', { operation: 'verifyMotorPolcy' })).rejects.toThrow(
      'did you mean "verifyMotorPolicy"?',
    );
  });
});

describe('the other tools', () => {
  test('create_merchant makes a merchant, and its key leads other tools to it', async () => {
    const { client, agent } = await agentOf();
    const told = await agent.use('create_merchant', { name: 'Tries', records: { motor: 2 } });
    const [, key] = /key (sk_sandbox_\w+)\./.exec(told) ?? [];
    expect(client.sandbox.merchant(key as string).name).toBe('Tries');
    expect(await agent.use('list_records', { family: 'motor', key })).toMatch(
      /^2 policies, page 1 of 1\.\n- .*policy_number: "/,
    );
    expect(await agent.use('list_records', { family: 'motor' })).toBe('0 policies, page 1 of 1.');
  });

  test('await_calls waits for calls, and tells the nearest miss', async () => {
    const { client, agent } = await agentOf();
    const waiting = agent.use('await_calls', { operation: 'getMotorQuote' });
    await client.call('getMotorQuote', exampleOf('getMotorQuote'));
    expect(await waiting).toMatch(/quote 200\n {2}getMotorQuote/);
    await client.call('verifyMotorPolicy', { token: 'nothing' });
    const missed = { operation: 'verifyMotorPolicy', status: 200, timeout: 'PT0.01S' };
    await expect(agent.use('await_calls', missed)).rejects.toThrow('status');
  });

  test('advance_clock lets tokens expire', async () => {
    const { client, agent } = await agentOf();
    const token = await initiate(client, 'motor');
    const [{ expires_at: end } = { expires_at: '' }] = client.merchant.purchases();
    expect(await agent.use('advance_clock', { to: end })).toBe(
      `The clock shows ${end} (frozen).\nThe token ${token} of initiateMotorPolicy expired at ${end}.`,
    );
    await expect(agent.use('advance_clock', { to: '2026-01-01T00:00:00Z' })).rejects.toThrow();
  });

  test('advance_clock freezes the clock and lets it run, at the time that it moves to', async () => {
    const { client, agent } = await agentOf();
    const running = await agent.use('advance_clock', { by: 'PT1H', mode: 'running' });
    expect(running).toMatch(/^The clock shows 2026-01-31T11:00:00\.\d{3}Z \(running\)\.$/);
    const frozen = { to: '2026-02-01T00:00:00Z', mode: 'frozen' };
    expect(await agent.use('advance_clock', frozen)).toBe(
      'The clock shows 2026-02-01T00:00:00.000Z (frozen).',
    );
    const back = { to: '2026-01-01', mode: 'running' };
    await expect(agent.use('advance_clock', back)).rejects.toThrow('reset starts over');
    expect(client.merchant.clock.show()).toEqual({
      now: '2026-02-01T00:00:00.000Z',
      mode: 'frozen',
    });
  });

  test('clear_faults removes the rules and lists them, and nothing else', async () => {
    const { client, agent } = await agentOf();
    await buy(client, 'motor');
    expect(await agent.use('clear_faults')).toBe('There were no fault rules.');
    const match = { operation: 'getMotorQuote' };
    await agent.use('add_fault', { stage: 'after', effect: { kind: 'drop' }, match, times: 3 });
    await agent.use('add_fault', { stage: 'before', effect: { kind: 'hang' } });
    expect(await agent.use('clear_faults')).toBe(
      'Removed:\nfault-1: "after; drop" acts on the next 3 calls of getMotorQuote.\nfault-2: "before; hang" acts on the next call of any operation.',
    );
    expect(client.merchant.faults.list()).toEqual([]);
    expect(client.merchant.records({ family: 'motor' }).total).toBe(1);
  });

  test('add_fault refuses an operation that is misspelt, and names the nearest', async () => {
    const { client, agent } = await agentOf();
    const drop = { stage: 'after', effect: { kind: 'drop' } };
    for (const match of [{ operation: 'verifyMotorPolcy' }, '{"operation":"verifyMotorPolcy"}']) {
      await expect(agent.use('add_fault', { ...drop, match })).rejects.toThrow(
        'match.operation: expected an operationId of the merchant API, got "verifyMotorPolcy"; did you mean "verifyMotorPolicy"?',
      );
    }
    await expect(
      agent.use('add_fault', { ...drop, operation: 'verifyMotorPolicy' }),
    ).rejects.toThrow('unknown "operation"; known: match, stage, effect, skip, times, probability');
    expect(client.merchant.faults.list()).toEqual([]);
  });

  test('a World with too many fault rules is told to remove some', async () => {
    const { client, agent } = await agentOf();
    const rule = { stage: 'after', effect: { kind: 'drop' } } as const;
    for (let count = 0; count < 1000; count++) client.merchant.faults.add(rule);
    await expect(agent.use('add_fault', rule)).rejects.toThrow(
      'A World can have at most 1,000 fault rules. Remove rules first.',
    );
  });

  test('list_records shows the purchases that are pending, of that family', async () => {
    const { client, agent } = await agentOf();
    const token = await initiate(client, 'motor');
    await initiate(client, 'group_life');
    const [purchase] = client.merchant.purchases().filter((each) => each.token === token);
    expect(await agent.use('list_records', { family: 'motor' })).toBe(
      `0 policies, page 1 of 1.\n1 pending purchase:\n- token "${token}" of initiateMotorPolicy, holder "${purchase?.holder}", premium ${purchase?.premium}, expires at 2026-01-31T10:15:00.000Z`,
    );
    const full = await agent.use('list_records', { family: 'motor', full: true });
    expect(JSON.parse(full.split('\n')[2] as string)).toEqual(purchase);
  });

  test('add_fault loses a response, and list_records shows that the policy was bought', async () => {
    const { client, agent } = await agentOf();
    const fault = {
      match: { operation: 'verifyGroupLifePolicy' },
      stage: 'after',
      effect: { kind: 'drop' },
    };
    expect(await agent.use('add_fault', fault)).toBe(
      'fault-1: "after; drop" acts on the next call of verifyGroupLifePolicy.',
    );
    await expect(buy(client, 'group_life')).rejects.toThrow('fetch failed');
    const { group_name } = purchaseOf('group_life');
    expect(await agent.use('list_records', { family: 'group_life' })).toContain(
      `group_name: "${group_name}"`,
    );
    const full = await agent.use('list_records', { family: 'group_life', full: true });
    expect(JSON.parse(full.split('\n')[1] as string)).toMatchObject({ group_name });
  });

  test('add_fault lets time pass before a later call, so that its token expires', async () => {
    const { client, agent } = await agentOf();
    const token = await initiate(client, 'motor');
    const effect = { kind: 'advance', by: 'PT20M' };
    expect(await agent.use('add_fault', { stage: 'before', effect, skip: 1 })).toBe(
      'fault-1: "before; advance; by=PT20M" acts on the next call of any operation, after 1 call that passes.',
    );
    await client.call('listMotorPolicies');
    const refused = await client.call('verifyMotorPolicy', { token });
    expect(refused.body.data.error).toEqual(['Token has expired']);
  });

  test('rewind goes back to before a call, and says when it cannot', async () => {
    const { client, agent } = await agentOf();
    const token = await initiate(client, 'motor');
    await client.call('verifyMotorPolicy', { token });
    expect(await agent.use('rewind', { to: 'req-3-2' })).toBe(
      'The World is as it was before req-3-2. The clock shows 2026-01-31T10:00:00.000Z (frozen).',
    );
    expect(client.merchant.purchases()).toMatchObject([{ token }]);
    await expect(agent.use('rewind', { to: 'req-3-2' })).rejects.toThrow(
      'The journal has no entry "req-3-2".',
    );
  });

  test('reset starts over', async () => {
    const { client, agent } = await agentOf();
    await buy(client, 'motor');
    expect(await agent.use('reset')).toContain('is as at its start');
    expect(client.merchant.records({ family: 'motor' }).total).toBe(0);
  });

  test('explain_assumption explains every assumption, and names the nearest one', async () => {
    const { agent } = await agentOf();
    for (const [id, { question, decision }] of Object.entries(ASSUMPTIONS)) {
      const told = await agent.use('explain_assumption', { id });
      expect(told).toContain(question);
      expect(told).toContain(decision);
    }
    expect(await agent.use('explain_assumption', { id: 'token-boundary' })).toContain(
      'Set to "exclusive"; a profile can set ',
    );
    await expect(agent.use('explain_assumption', { id: 'token-bounary' })).rejects.toThrow(
      'No assumption has the id "token-bounary"; did you mean "token-boundary"?',
    );
  });
});

describe('resources', () => {
  test('are what the sandbox serves', async () => {
    const { client, agent } = await agentOf();
    const served = async (path: string) => (await client.sandbox.fetch(path)).text();
    expect(await agent.read('llms.txt')).toBe(await served('/llms.txt'));
    expect(await agent.read('openapi.json')).toBe(await served('/openapi.json'));
    const key = client.merchant.apiKey;
    expect(JSON.parse(await agent.read('address'))).toEqual({ url: 'http://sandbox', key });
    const assumptions = (await agent.read('assumptions')).split('\n');
    expect(assumptions).toHaveLength(Object.keys(ASSUMPTIONS).length);
  });
});

describe('mistakes', () => {
  test.each([
    [
      'advance_clock',
      { by: 15 },
      'by: expected an ISO 8601 duration like PT15M, P1D or P1M and not negative, got 15',
    ],
    ['advance_clock', { by: 'PT1M', form: 2 }, 'unknown "form"; known: by, to, mode, key'],
    ['advance_clock', {}, 'by'],
    ['add_fault', { stage: 'during', effect: { kind: 'drop' } }, 'stage: expected'],
    ['list_records', {}, 'family: expected'],
    ['list_calls', { limit: 0 }, 'limit: expected at least 1, got 0'],
    ['list_calls', { key: 'sk\nsplit' }, 'key must be printable ASCII text without spaces.'],
    ['list_calls', { key: 'sk_nobody' }, "A merchant's API key is required"],
  ])('%s refuses %j', async (tool, input, message) => {
    const { agent } = await agentOf();
    await expect(agent.use(tool, input)).rejects.toThrow(message);
  });

  test('an unknown tool and an unknown resource are errors of the protocol', async () => {
    const { agent } = await agentOf();
    await expect(agent.use('buy_policy')).rejects.toThrow(
      'Unknown tool "buy_policy"; known: create_merchant',
    );
    await expect(agent.read('nothing')).rejects.toThrow('not found');
  });
});
