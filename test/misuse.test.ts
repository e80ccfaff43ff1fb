import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ControlError, createSandbox, FixtureError, type SandboxOptions } from '../src/index.ts';
import { type ChaosOptions, chaos, FileError, ListenError, startSandbox } from '../src/node.ts';

/*
 * Wrong arguments that only code without types can pass. Each error says what to pass, and its stack begins at the
 * line of the call.
 */

// biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
const wrong = (value: unknown): any => value;
const circular: Record<string, unknown> = {};
circular.name = circular;

const sandbox = createSandbox();
const merchant = sandbox.createMerchant();

const MISUSES: readonly (readonly [string, () => unknown, string])[] = [
  ['createSandbox(null)', () => createSandbox(wrong(null)), 'Options must be an object; got null.'],
  ['clock: 5', () => createSandbox({ clock: wrong(5) }), 'clock must be "running", "frozen" or a'],
  ['onCall: "x"', () => createSandbox({ onCall: wrong('x') }), 'onCall must be a function that'],
  ['redact: "yes"', () => createSandbox({ redact: wrong('yes') }), 'redact must be true or false'],
  ['cors: 5', () => createSandbox({ cors: wrong(5) }), 'cors must be an origin'],
  ['seed: 1n', () => createSandbox({ seed: wrong(1n) }), 'seed must be a whole number'],
  ['seed: {…}', () => createSandbox({ seed: wrong(circular) }), 'got a value that is not JSON'],
  ['now: Symbol()', () => createSandbox({ now: wrong(Symbol('x')) }), 'now must be a time'],
  ['now: null', () => createSandbox({ now: wrong(null) }), 'now must be a time'],
  [
    'amountCheck',
    () => createSandbox({ amountCheck: wrong('no') }),
    'amountCheck must be "exact" or',
  ],
  [
    'maxMerchants: 0',
    () => createSandbox({ maxMerchants: 0 }),
    'a whole number of 1 or more; got 0.',
  ],
  ['publicUrl', () => createSandbox({ publicUrl: 'ftp://a' }), 'publicUrl must be a URL'],
  [
    'adminToken',
    () => createSandbox({ adminToken: 'a b' }),
    'adminToken must be a non-empty string without spaces',
  ],
  [
    'adminToken that no header carries',
    () => createSandbox({ adminToken: 'é' }),
    'without spaces, of printable ASCII characters.',
  ],
  [
    'api_key that no header carries',
    () =>
      createSandbox({
        fixtures: { 'merchants.json': { merchants: [{ id: 1, name: 'A', api_key: 'sk_é' }] } },
      }),
    'merchants.json: merchants.0.api_key: expected printable ASCII text without spaces, got "sk_é"',
  ],
  [
    'fixtures: 5',
    () => createSandbox({ fixtures: wrong(5) }),
    'fixtures must be an object with fixture files',
  ],
  ['profile: 5', () => createSandbox({ profile: wrong(5) }), 'profile'],
  [
    'port: 1',
    () => createSandbox(wrong({ port: 1 })),
    'Unknown option "port": only startSandbox and the kit for Playwright, which listen on a port',
  ],
  [
    'clok',
    () => createSandbox(wrong({ clok: 'frozen' })),
    'Unknown option "clok"; did you mean "clock"? Known options: now,',
  ],
  [
    "fixtures: './dir'",
    () => createSandbox({ fixtures: wrong('./dir') }),
    `got "./dir"; read each file: { 'products.json': JSON.parse(readFileSync("./dir/products.json", 'utf8')) }.`,
  ],
  [
    "profile: 'x.json'",
    () => startSandbox({ profile: wrong('x.json') }),
    `profile must be the content of a profile file; got "x.json"; read the file: JSON.parse(readFileSync("x.json", 'utf8')).`,
  ],
  [
    'merchant()',
    () => sandbox.merchant(wrong(undefined)),
    'merchant() takes an API key, a string; got nothing.',
  ],
  [
    'merchant("ключ")',
    () => createSandbox({ autoMerchants: true }).merchant('ключ'),
    'No merchant has the key "ключ". A key is printable ASCII without spaces.',
  ],
  ['merchant("no")', () => sandbox.merchant('no'), 'No merchant has the key "no".'],
  ['createMerchant("x")', () => sandbox.createMerchant(wrong('x')), '; got "x".'],
  ['createMerchant({…})', () => sandbox.createMerchant(wrong(circular)), 'name: expected a string'],
  [
    'createMerchant({ now: 1n })',
    () => sandbox.createMerchant({ now: wrong(1n) }),
    'now: expected a time like',
  ],
  [
    'createMerchant({ now: "soon", seed: -1 })',
    () => sandbox.createMerchant({ now: 'soon', seed: -1 }),
    'got "soon"\nseed: expected at least 0, got -1',
  ],
  [
    'createMerchant({ nme: "x" })',
    () => sandbox.createMerchant(wrong({ nme: 'x' })),
    'createMerchant(): unknown "nme"; known: name,',
  ],
  ['rewind()', () => merchant.rewind(wrong(undefined)), 'rewind() takes the id of a call'],
  [
    'profile: []',
    () => createSandbox({ profile: wrong([]) }),
    'Invalid profile: the profile: expected an object, got []',
  ],
  ['sandbox.journal(5)', () => sandbox.journal(wrong(5)), '; got 5.'],
  [
    'restore({…})',
    () => merchant.restore(circular as never),
    'The value cannot be converted to JSON',
  ],
  ['clock.set()', () => merchant.clock.set(wrong(undefined)), '; got nothing.'],
  [
    'clock.advance(5)',
    () => merchant.clock.advance(wrong(5)),
    'advance() takes a duration like "PT15M"; got 5.',
  ],
  [
    'clock.set(date)',
    () => merchant.clock.set(wrong(new Date())),
    'clock.set() takes an object with mode, now; got an object of class Date.',
  ],
  [
    'clock.advance(date)',
    () => merchant.clock.advance(wrong(new Date())),
    'advance() takes a duration like "PT15M"; got an object of class Date.',
  ],
  ...[new Map(), [], new (class Own {})()].flatMap((other): typeof MISUSES => [
    ['createSandbox', () => createSandbox(wrong(other)), 'Options must be an object; got '],
    ['createMerchant', () => sandbox.createMerchant(wrong(other)), 'takes an object with name,'],
    ['sandbox.journal', () => sandbox.journal(wrong(other)), 'takes an object with operation,'],
    ['faults.add', () => merchant.faults.add(wrong(other)), 'takes an object with match,'],
    ['journal.list', () => merchant.journal.list(wrong(other)), 'takes an object with operation,'],
    ['journal.await', () => merchant.journal.await(wrong(other)), 'takes an object with'],
    ['records', () => merchant.records(wrong(other)), 'takes an object with family,'],
    ['restore', () => merchant.restore(other), 'takes an object with version, world, test; got '],
    ['call', () => merchant.call('getMotorQuote', wrong(other)), 'takes an object with the fields'],
  ]),
  [
    'clock.advance("soon")',
    () => merchant.clock.advance('soon'),
    'by must be an ISO 8601 duration',
  ],
  ['faults.add()', () => merchant.faults.add(wrong(undefined)), '; got nothing.'],
  [
    'faults.remove()',
    () => merchant.faults.remove(wrong(undefined)),
    'No fault rule has the id "undefined"',
  ],
  ['journal.list(null)', () => merchant.journal.list(wrong(null)), '; got null.'],
  ['journal.get()', () => merchant.journal.get(wrong(undefined)), 'The journal has no entry'],
  [
    'journal.await({ timeout: 500 })',
    () => merchant.journal.await({ timeout: wrong(500) }),
    'timeout: expected an ISO 8601 duration like PT15M, P1D or P1M and not negative, got 500',
  ],
  [
    'clock.advance({ by: 5 })',
    () => merchant.clock.advance({ by: wrong(5) }),
    'by: expected an ISO 8601 duration like PT15M',
  ],
  [
    'faults.add({ match: { op } })',
    () =>
      merchant.faults.add(wrong({ match: { op: 'x' }, stage: 'after', effect: { kind: 'drop' } })),
    'match: unknown "op"; known: operation, body',
  ],
  [
    'faults.add({ effect: { stauts } })',
    () =>
      merchant.faults.add(
        wrong({ stage: 'before', effect: { kind: 'respond', status: 503, stauts: 500 } }),
      ),
    'effect: unknown "stauts"; known: kind, status, headers, body',
  ],
  ['journal.await(5)', () => merchant.journal.await(wrong(5)), '; got 5.'],
  ['records()', () => merchant.records(wrong(undefined)), '; got nothing.'],
  ["startSandbox('x')", () => startSandbox(wrong('x')), 'Options must be an object; got "x".'],
  [
    "port: 'x'",
    () => startSandbox({ port: wrong('x') }),
    'port must be a whole number from 0 to 65535; got "x".',
  ],
  ['port: 70000', () => startSandbox({ port: 70_000 }), 'port must be a whole number from 0 to'],
  [
    'host: 5',
    () => startSandbox({ port: 0, host: wrong(5) }),
    'host must be a host name or IP address',
  ],
  [
    'state: 5',
    () => startSandbox({ port: 0, state: wrong(5) }),
    'state must be the path of a file',
  ],
  [
    "log: 'loud'",
    () => startSandbox({ log: wrong('loud') }),
    'log must be "off" or "calls" or "bodies" or "json"; got "loud".',
  ],
  [
    'prot: 0',
    () => startSandbox(wrong({ prot: 0 })),
    'Unknown option "prot"; did you mean "port"? Known options: now, ',
  ],
];

describe('a wrong argument throws at the line of the call', () => {
  test.each(MISUSES)('%s', async (_, misuse, message) => {
    let told: unknown;
    try {
      await misuse();
    } catch (error) {
      told = error;
    }
    expect(told).toMatchObject({ message: expect.stringContaining(message) });
    expect([ControlError, FixtureError].some((refusal) => told instanceof refusal)).toBe(true);
    const { name, stack } = told as Error;
    expect(stack?.split('\n')[0]).toContain(`${name}: `);
    expect(framesOf(told)[0]).toContain('misuse.test.ts');
  });
});

/** The lines of a stack after its message. */
const framesOf = (error: unknown): string[] =>
  ((error as Error).stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));

const UNDEFINED = {
  now: undefined,
  clock: undefined,
  seed: undefined,
  fixtures: undefined,
  autoMerchants: undefined,
  maxMerchants: undefined,
  amountCheck: undefined,
  profile: undefined,
  publicUrl: undefined,
  adminToken: undefined,
  cors: undefined,
  redact: undefined,
  log: undefined,
} satisfies Record<Exclude<keyof SandboxOptions, 'onCall'>, undefined>;

describe('undefined means the default', () => {
  test('in the options of a sandbox, of a server and of chaos', async () => {
    const start = { now: '2026-01-31T10:00:00Z', clock: 'frozen' } as const;
    const [given, left] = [{ ...UNDEFINED, onCall: undefined, ...start }, start].map((options) =>
      createSandbox(options).merchant('sk_sandbox_demo').snapshot(),
    );
    expect(given).toEqual(left);
    expect(() => createSandbox({ fixtures: { 'products.json': undefined } })).not.toThrow();
    const server = await startSandbox({
      ...UNDEFINED,
      port: 0,
      onCall: undefined,
      host: undefined,
      state: undefined,
    });
    await server.close();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    const run: ChaosOptions['run'] = ({ fetch }) =>
      fetch('/api/merchant/get_comprehensive_motor_policies');
    const { runs } = await chaos({
      run,
      only: undefined,
      jobs: undefined,
      timeout: undefined,
      slow: 1,
      sandbox: UNDEFINED,
    });
    expect(runs.length).toBeGreaterThan(0);
    // The default takes two seconds for each call.
    const one = await chaos({ run, only: ['listMotorPolicies:503'], slow: undefined });
    expect(one.runs).toHaveLength(1);
  });

  test('in the arguments of methods', async () => {
    const { clock, faults, journal, ...other } = sandbox.createMerchant({
      name: undefined,
      records: undefined,
      now: undefined,
      mode: undefined,
      seed: undefined,
    });
    expect(sandbox.createMerchant({ records: { motor: undefined } }).show().counts.motor).toBe(0);
    expect(clock.set({ now: undefined, mode: undefined }).mode).toBe('running');
    expect(clock.advance({ by: 'PT1M', to: undefined }).mode).toBe('running');
    expect(clock.advance({ by: undefined, to: '2200-01-01T00:00:00Z' }).mode).toBe('running');
    const rule = faults.add({
      match: { operation: undefined, body: undefined },
      stage: 'before',
      effect: { kind: 'respond', status: 503, headers: undefined, body: undefined },
      times: undefined,
      probability: undefined,
    });
    expect(rule).toMatchObject({ match: {}, times: 1, probability: 1 });
    faults.clear();
    const list = 'listMicroHealthSubscriptions';
    expect(await other.call(list, { page: undefined })).toMatchObject({ status: 200 });
    expect(await other.call(list, undefined)).toMatchObject({ status: 200 });
    expect(await other.call('verifyMotorPolicy', { token: undefined })).toMatchObject({
      body: { data: { error: ['The token field is required.'] } },
    });
    const query = { operation: undefined, status: undefined, token: undefined, limit: undefined };
    expect(journal.list(query)).toHaveLength(3);
    expect(journal.list(undefined)).toHaveLength(3);
    expect(sandbox.journal({ ...query, merchant: undefined }).length).toBeGreaterThan(2);
    const expectation = { operation: undefined, status: undefined, count: undefined };
    expect(await journal.await({ ...expectation, timeout: undefined })).toHaveLength(3);
    const page = { policy_number: undefined, search: undefined };
    const records = { family: 'motor', page: undefined, per_page: undefined, ...page } as const;
    expect(other.records(records)).toMatchObject({ page: 1, per_page: 15, total: 0 });
  });
});

describe('a thrown error', () => {
  test('has its name, its status, and every problem with its place', () => {
    let told: unknown;
    try {
      merchant.faults.add(
        wrong({ stage: 'before', effect: { kind: 'respond', status: 42 }, times: 0 }),
      );
    } catch (error) {
      told = error;
    }
    expect(told).toMatchObject({
      name: 'ControlError',
      status: 422,
      message: 'effect.status: expected at least 200, got 42\ntimes: expected at least 1, got 0',
      problems: [
        'effect.status: expected at least 200, got 42',
        'times: expected at least 1, got 0',
      ],
    });
    expect(new ControlError(409, 'It is too late').problems).toEqual(['It is too late']);
  });

  test('is printed with each problem once, by consoles and by runners that print the field "errors"', () => {
    let told: unknown;
    try {
      merchant.faults.add(wrong({ stage: 'never', effect: { kind: 'drop' }, times: 0 }));
    } catch (error) {
      told = error;
    }
    expect(inspect(told).split('times: expected at least 1, got 0')).toHaveLength(2);
    expect(told).not.toHaveProperty('errors');
  });

  test('of a taken port has port, host and reason', async () => {
    const server = await startSandbox({ port: 0 });
    const { port } = server;
    const told = await startSandbox({ port }).catch((error) => error);
    await server.close();
    expect(told).toBeInstanceOf(ListenError);
    expect(told).toMatchObject({
      name: 'ListenError',
      code: 'EADDRINUSE',
      port,
      host: '127.0.0.1',
    });
    expect(framesOf(told)[0]).toContain('misuse.test.ts');
  });

  test('of a file has its path', async () => {
    const state = '/nowhere/at/all/state.json';
    const told = await startSandbox({ port: 0, state }).catch((error) => error);
    expect(told).toBeInstanceOf(FileError);
    expect(told).toMatchObject({ name: 'FileError', file: state });
    expect(framesOf(told)[0]).toContain('misuse.test.ts');
  });
});
