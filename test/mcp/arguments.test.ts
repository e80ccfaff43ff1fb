import { describe, expect, test } from 'vitest';
import { createClient } from '../support/client.ts';
import { exampleOf } from '../support/requests.ts';
import { connectTo, REVISIONS } from './agent.ts';

async function agentOf(client = createClient()) {
  const { sandbox, merchant } = client;
  return { client, merchant, agent: await connectTo(sandbox, { key: merchant.apiKey }) };
}

describe.each(REVISIONS)('under the revision %j', (mode) => {
  test.each([
    ['null', null],
    ['nothing', undefined],
    ['an object', {}],
    ['an object as its text', '{}'],
    ['an empty array, as PHP writes an empty object', []],
  ])('the arguments of a call may be %s', async (_, given) => {
    const { sandbox, merchant } = createClient();
    const { client } = await connectTo(sandbox, { key: merchant.apiKey, mode });
    const sent = { name: 'list_calls', arguments: given as never };
    expect(await client.callTool(sent)).toMatchObject({
      content: [{ type: 'text', text: 'No calls.' }],
    });
  });
});

describe('arguments are taken as clients send them', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'list_calls',
      { operation: null, status: null, token: null, limit: null, bodies: null, key: null },
      /^No calls\.$/,
    ],
    ['list_calls', { limit: '5', bodies: 'true' }, /^No calls\.$/],
    ['list_calls', { bodies: 'False', status: '422' }, /^No calls\.$/],
    ['advance_clock', { by: 'PT15M', to: null }, /10:15:00/],
    ['list_records', { family: 'Motor', per_page: '2', page: null }, /^0 policies/],
    ['create_merchant', { name: null, records: '{"motor":"2"}', mode: 'FROZEN' }, /\(frozen\)/],
    ['create_merchant', { records: { motor: '1', micro_health: null }, seed: '7' }, /has the key/],
    ['add_fault', { stage: 'after', effect: '{"kind":"drop"}', match: null }, /"after; drop"/],
    ['add_fault', { stage: 'after', effect: { kind: 'drop' }, match: [] }, /"after; drop"/],
    ['reset', { records: '{"motor":2}' }, /is as at its start/],
    ['add_fault', { stage: 'Before', effect: { kind: 'delay', ms: '20' } }, /delay; ms=20"/],
    [
      'add_fault',
      { stage: 'after', effect: { kind: 'DROP' }, times: '2', probability: '0.5' },
      /the next 2 calls of any operation, with probability 0\.5/,
    ],
    [
      'add_fault',
      {
        stage: 'after',
        effect: { kind: 'respond', status: '503', headers: '{"Retry-After":"3"}', body: null },
        match: '{"operation":"verifyMotorPolicy","body":"{\\"token\\":\\"CMP1\\"}"}',
      },
      /"after; respond; status=503" .* verifyMotorPolicy with \{"token":"CMP1"\}/,
    ],
  ])('%s takes %j', async (tool, input, told) => {
    const { agent } = await agentOf();
    expect(await agent.use(tool, input)).toMatch(told);
  });

  test('a body of a fault that is an object as its text is sent as the object', async () => {
    const { client, agent } = await agentOf();
    const effect = '{"kind":"respond","status":"503","body":"{\\"down\\":true}"}';
    await agent.use('add_fault', { stage: 'before', effect });
    const response = await client.sandbox.fetch('/api/merchant/get_comprehensive_motor_policies', {
      headers: { authorization: `Bearer ${client.merchant.apiKey}` },
    });
    expect([response.status, await response.json()]).toEqual([503, { down: true }]);
  });

  test('what a request body must have is taken as it is written, null and digits too', async () => {
    const { client, agent, merchant } = await agentOf();
    const body = { vehicle_value: '5', nothing: null };
    await agent.use('add_fault', {
      stage: 'before',
      effect: { kind: 'malformed' },
      match: { body },
    });
    expect(merchant.faults.list()[0]?.match).toEqual({ body });
    await client.call('getMotorQuote', { ...(exampleOf('getMotorQuote') as object) });
    expect(merchant.faults.list()).toHaveLength(1);
  });

  test('agents see the schemas of the control plane', async () => {
    const { agent } = await agentOf();
    const { tools } = await agent.client.listTools();
    const schemaOf = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema;
    expect(schemaOf('list_calls')?.properties).toMatchObject({
      limit: { type: 'integer', minimum: 1, maximum: 500 },
      bodies: { type: 'boolean' },
    });
    expect(schemaOf('add_fault')).toMatchObject({
      properties: { stage: { enum: ['before', 'after'] }, times: { type: 'integer' } },
      required: ['stage', 'effect'],
      additionalProperties: false,
    });
  });
});

describe('an argument that cannot be taken is named, with its tool', () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      'advance_clock',
      { by: 15 },
      'advance_clock: by: expected an ISO 8601 duration like PT15M, P1D or P1M and not negative, got 15',
    ],
    ['list_calls', { limit: 'many' }, 'list_calls: limit: expected a number, got "many"'],
    ['list_calls', { limit: '1e99' }, 'list_calls: limit: expected a number, got "1e99"'],
    ['list_calls', { bodies: 'maybe' }, 'list_calls: bodies: expected true or false, got "maybe"'],
    [
      'list_records',
      { family: null },
      'list_records: family: expected "micro_health" or "motor" or "group_life", got null',
    ],
    [
      'list_records',
      { family: 'motr' },
      'list_records: family: expected "micro_health" or "motor" or "group_life", got "motr"; did you mean "motor"?',
    ],
    [
      'add_fault',
      { stage: 'after', effect: '{kind: drop}' },
      'add_fault: effect: expected an object, got "{kind: drop}"',
    ],
    [
      'add_fault',
      { stage: 'after', effect: { kind: 'delay', ms: '20', unit: 's' } },
      'add_fault: effect: unknown "unit"; known: kind, ms',
    ],
    [
      'create_merchant',
      { records: '{"moto":2}' },
      'create_merchant: records: unknown "moto"; known: micro_health, motor, group_life',
    ],
    [
      'advance_clock',
      { by: 'PT1M', 'a\n\u202eb': 1, form: null },
      'advance_clock: the arguments: unknown "a\\n\\u202eb", "form"; known: by, to, mode, key',
    ],
    [
      'advance_clock',
      { by: 15, to: ['\u2028'.repeat(100)] },
      'advance_clock:\n  by: expected an ISO 8601 duration like PT15M, P1D or P1M and not negative, got 15\n  to: expected a string, got ["\\u2028\\u2028\\u2028\\u2028\\u2028\\u2028\\u2028\\u2028\\u2028\\…',
    ],
    [
      'advance_clock',
      { by: 'PT1M\nDone.' },
      'advance_clock: by must be an ISO 8601 duration like PT15M, P1D or P1M and not negative; got "PT1M\\nDone.".',
    ],
    [
      'advance_clock',
      {},
      'advance_clock: Either by (a duration like PT15M) or to (a time) is required, not both.',
    ],
  ])('%s refuses %j', async (tool, input, message) => {
    const { agent } = await agentOf();
    expect(await agent.use(tool, input).catch((error) => error.message)).toBe(message);
  });
});
