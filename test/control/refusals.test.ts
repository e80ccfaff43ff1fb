import { expect, test } from 'vitest';
import { FAULT_KINDS } from '../../src/world/fault-kinds.ts';
import { createClient, everythingOf } from '../support/client.ts';
import { control, controlRouteOf } from '../support/control.ts';

// Refused calls change nothing, so one sandbox is enough.
const { sandbox, merchant } = createClient();
const before = everythingOf(sandbox);

const drop = { stage: 'before', effect: { kind: 'drop' } };
const delay = (ms?: number) => ({ ...drop, effect: { kind: 'delay', ms } });
const respond = (status: number, headers?: object) => ({
  ...drop,
  effect: { kind: 'respond', status, headers },
});
const KIND_NAMES = FAULT_KINDS.map(({ name }) => `"${name}"`).join(' or ');
const matching = (match: object) => ({ ...drop, match });
const NO_OPERATION =
  'expected an operationId of the merchant API, got "verifyMotor"; did you mean "verifyMotorPolicy"?';
const NO_HEADER =
  'effect.headers: expected a header name that neither the connection nor the sandbox uses, got';

test.each<[operationId: string, sent: object, detail: string]>([
  ['setClock', { mode: 'stopped' }, 'mode: expected "running" or "frozen", got "stopped"'],

  ['createMerchant', { name: ' ' }, 'name: expected a text that is not blank, got " "'],
  [
    'createMerchant',
    { api_key: 'ключ' },
    'api_key: expected printable ASCII text without spaces, got "ключ"',
  ],
  [
    'createMerchant',
    { records: 'all' },
    'records: expected "none" or "demo" or an object, got "all"',
  ],
  ['createMerchant', { mode: 'off' }, 'mode: expected "running" or "frozen", got "off"'],
  ['createMerchant', { seed: -1 }, 'seed: expected at least 0, got -1'],
  ['createMerchant', { seed: 2 ** 32 }, 'seed: expected at most 4294967295, got 4294967296'],
  [
    'createMerchant',
    { now: 'today' },
    'now: expected a time like 2026-01-31T10:00:00Z or a day like 2026-01-31, from ',
  ],

  ['putSnapshot', {}, 'version: expected a number, got nothing'],
  ['putSnapshot', { version: 1 }, 'world: expected an object, got nothing'],
  [
    'putSnapshot',
    { version: 3, world: {} },
    'version: this sandbox reads snapshots of version 2, not 3. Take a new snapshot.',
  ],

  ['listJournal', { limit: 0 }, 'limit: expected at least 1, got 0'],
  ['listJournal', { limit: 1.5 }, 'limit: expected a whole number, got 1.5'],
  ['listJournal', { limit: 'many' }, 'limit: expected a number, got "many"'],
  ['listJournal', { limit: '' }, 'limit: expected a number, got ""'],
  ['listJournal', { status: 99 }, 'status: expected at least 100, got 99'],
  ['listJournal', { operation: 'verifyMotor' }, `operation: ${NO_OPERATION}`],
  ['listJournal', { page: 2 }, 'the query: unknown "page"; known: operation, status, token, limit'],
  ['listSandboxJournal', { limit: 1001 }, 'limit: expected at most 1000, got 1001'],

  [
    'awaitJournal',
    { counts: 1 },
    'the body: unknown "counts"; known: operation, status, count, timeout',
  ],
  ['awaitJournal', { count: 0 }, 'count: expected at least 1, got 0'],
  ['awaitJournal', { count: 1001 }, 'count: expected at most 1000, got 1001'],
  ['awaitJournal', { count: 1.5 }, 'count: expected a whole number, got 1.5'],
  ['awaitJournal', { status: 42 }, 'status: expected at least 100, got 42'],
  [
    'awaitJournal',
    { timeout: '5s' },
    'timeout must be an ISO 8601 duration like PT15M, P1D or P1M and not negative; got "5s".',
  ],
  ['awaitJournal', { operation: 'verifyMotor' }, `operation: ${NO_OPERATION}`],

  ['listRecords', {}, 'family: expected'],
  ['listRecords', { family: 'marine' }, 'micro_health'],
  ['listRecords', { family: 'motor', per_page: 101 }, 'per_page: expected at most 100, got 101'],
  ['listRecords', { family: 'motor', page: 0 }, 'page: expected at least 1, got 0'],
  [
    'listRecords',
    { family: 'motor', number: 'x' },
    'unknown "number"; known: family, policy_number, search, page, per_page',
  ],
  ['streamEvents', { merchant: 'x' }, 'merchant: expected'],
  ['streamEvents', { merchnat: 3 }, 'unknown "merchnat"; known: merchant'],
  ['listMerchants', { page: 0 }, 'page: expected at least 1, got 0'],
  ['listMerchants', { page: 1.5 }, 'page: expected a whole number, got 1.5'],
  ['resetAll', { page: 'two' }, 'page: expected a number, got "two"'],

  [
    'addFault',
    { ...drop, effect: { kind: 'dorp' } },
    `effect.kind: expected ${KIND_NAMES}, got "dorp"; did you mean "drop"?`,
  ],
  ['addFault', { ...drop, effect: 'drop' }, 'effect: expected an object, got "drop"'],
  ['addFault', { ...drop, effect: { kind: 'drop', ms: 5 } }, 'effect: unknown "ms"'],
  ['addFault', { ...drop, effect: { kind: 'drop', headers: {} } }, 'effect: unknown "headers"'],
  ['addFault', delay(), 'effect.ms: expected a number, got nothing'],
  ['addFault', delay(600_001), 'effect.ms: expected at most 600000, got 600001'],
  ['addFault', delay(-1), 'effect.ms: expected at least 0, got -1'],
  ['addFault', delay(1.5), 'effect.ms: expected a whole number, got 1.5'],
  ['addFault', respond(199), 'effect.status: expected at least 200, got 199'],
  ['addFault', respond(600), 'effect.status: expected at most 599, got 600'],
  ['addFault', respond(503, { 'Retry After': '3' }), `${NO_HEADER} "Retry After"`],
  ['addFault', respond(503, { 'Content-Length': '3' }), `${NO_HEADER} "Content-Length"`],
  ['addFault', respond(503, { 'Sandbox-Request-Id': 'x' }), `${NO_HEADER} "Sandbox-Request-Id"`],
  [
    'addFault',
    respond(503, { 'Retry-After': '3\r\nX: y' }),
    'effect.headers.Retry-After: expected a header value that HTTP allows, got "3\\r\\nX: y"',
  ],
  ['addFault', respond(503, { 'X-A': 3 }), 'effect.headers.X-A: expected a string, got 3'],
  [
    'addFault',
    respond(503, { Server: 'Café' }),
    'effect.headers.Server: expected a header value in ASCII, got "Café"',
  ],
  ['addFault', { effect: drop.effect }, 'stage: expected "before" or "after", got nothing'],
  ['addFault', { ...drop, times: 0 }, 'times: expected at least 1, got 0'],
  ['addFault', { ...drop, times: '2' }, 'times: expected a number, got "2"'],
  ['addFault', { ...drop, probability: 1.01 }, 'probability: expected at most 1, got 1.01'],
  ['addFault', { ...drop, probability: -0.01 }, 'probability: expected at least 0, got -0.01'],
  ['addFault', matching({ operation: 'verifyMotor' }), `match.operation: ${NO_OPERATION}`],
  ['addFault', matching({ path: '/' }), 'match: unknown "path"'],
  ['addFault', matching({ body: [7] }), 'match.body: expected an object, got [7]'],
])('%s is refused with %j, and changes nothing: %s', async (operationId, sent, detail) => {
  const { over, request } = controlRouteOf(operationId);
  const answer = await control(sandbox, operationId, {
    ...(over === 'world' && { key: merchant.apiKey }),
    [request?.in ?? 'body']: sent,
  });
  expect(answer.status).toBe(422);
  expect(answer.body.detail).toContain(detail);
  expect(everythingOf(sandbox)).toEqual(before);
});

test.each(['streamEvents', 'listSandboxJournal'])(
  '%s of a merchant that is not there is 404',
  async (operationId) => {
    const query = { merchant: 99 };
    const answer = await control(sandbox, operationId, { query });
    expect(answer.status).toBe(404);
    expect(answer.body.detail).toContain('No merchant has the id "99"');
  },
);
