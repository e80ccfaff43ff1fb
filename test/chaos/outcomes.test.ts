import { describe, expect, test } from 'vitest';
import { ChaosError, type ChaosPlace, chaos } from '../../src/node.ts';
import type { Caller } from '../support/client.ts';
import { isNetworkError } from '../support/network-errors.ts';
import { buy, exampleOf, initiate, purchaseOf } from '../support/requests.ts';
import { again, buyOne, callerAt, disturb } from './programs.ts';

describe('a run ends in one of six ways', () => {
  test('survived: the program looks the policy up before it buys again', async () => {
    const run = await disturb('verifyMotorPolicy:lost', async (place) => {
      const client = callerAt(place);
      await again(async () => {
        const { body } = await client.call('listMotorPolicies');
        if (body.data.length === 0) await buy(client, 'motor');
      });
    });
    expect(run).toMatchObject({ outcome: 'survived', passed: true, exit: 0, differences: [] });
    expect(run.bought).toEqual([
      {
        operation: 'verifyMotorPolicy',
        product: 4,
        plan: 'yearly × 1',
        premium: 250_000,
        holder: expect.any(String),
        insured: expect.any(String),
        count: 1,
      },
    ]);
  });

  test('bought twice: the program buys again when the response of a verify is lost', async () => {
    const run = await disturb('verifyMotorPolicy:lost', (place) => again(() => buyOne()(place)));
    expect(run).toMatchObject({ outcome: 'bought twice', exit: 0 });
    expect(run.differences).toMatchObject([
      { operation: 'verifyMotorPolicy', undisturbed: 1, bought: 2 },
    ]);
  });

  test('bought twice: the program renews again when the response of a renewal is lost', async () => {
    const run = await disturb('topUpMicroHealthSubscription:cut', async (place) => {
      const client = callerAt(place);
      const { policy_no } = await buy(client, 'micro_health');
      await again(() => renew(client, policy_no));
    });
    expect(run).toMatchObject({
      outcome: 'bought twice',
      differences: [
        { operation: 'topUpMicroHealthSubscription', renewal: 2, undisturbed: 0, bought: 1 },
      ],
    });
  });

  test('the text says which renewal of a policy it was', async () => {
    const report = await chaos({
      async run(place) {
        const client = callerAt(place);
        const { policy_no } = await buy(client, 'micro_health');
        await again(() => renew(client, policy_no));
      },
      only: 'topUpMicroHealthSubscription:cut',
    });
    expect(String(report)).toContain(
      'passed; renewal 2 of a policy: 1 instead of 0 (product 1, monthly, ',
    );
  });

  test('bought twice: the program buys again, and ends with an error after that', async () => {
    const run = await disturb('verifyMotorPolicy:lost', async (place) => {
      await buyOne()(place).catch(async () => {
        await buyOne()(place);
        throw new Error('It took two attempts');
      });
    });
    expect(run).toMatchObject({ outcome: 'bought twice', exit: 1 });
  });

  test('noticed: the program ends with an error, although the policy was bought', async () => {
    const run = await disturb('verifyGroupLifePolicy:garbage', buyOne('group_life'));
    expect(run.bought).toMatchObject([{ plan: '1 member', count: 1 }]);
    expect(run).toMatchObject({ outcome: 'noticed', exit: 1, differences: [] });
    expect(run.error).toContain('JSON');
  });

  test('noticed: the program ends with an error and has bought nothing', async () => {
    const run = await disturb('initiateMotorPolicy:503', buyOne());
    expect(run).toMatchObject({ outcome: 'noticed', differences: [{ undisturbed: 1, bought: 0 }] });
  });

  test('false success: the program ignores that a verify was refused', async () => {
    const run = await disturb('verifyMotorPolicy:expired', async (place) => {
      const client = callerAt(place);
      await client.call('verifyMotorPolicy', { token: await initiate(client, 'motor') });
    });
    expect(run).toMatchObject({
      outcome: 'false success',
      exit: 0,
      differences: [{ operation: 'verifyMotorPolicy', undisturbed: 1, bought: 0 }],
    });
  });

  test('hung: the program waits for something that never comes', async () => {
    const run = await disturb(
      'verifyMotorPolicy:gateway',
      (place) => buyOne()(place).catch(() => new Promise(() => undefined)),
      { timeout: 300 },
    );
    expect(run).toMatchObject({ outcome: 'hung', exit: null });
  });

  test('a time limit of years does not end a slow run', async () => {
    const run = await disturb('verifyMotorPolicy:slow', buyOne(), { slow: 20, timeout: 1e12 });
    expect(run.outcome).toBe('survived');
  });
});

test.each([
  ['its fetch', (place: ChaosPlace) => place],
  ['the URL', (place: ChaosPlace) => ({ ...place, fetch })],
])(
  'a program that repeats a purchase after a network error only is judged the same with %s',
  async (_, of) => {
    const outcomes: string[] = [];
    for (const failure of ['lost', 'cut', 'gateway']) {
      const run = await disturb(`verifyMotorPolicy:${failure}`, (place) =>
        buyOne()(of(place)).catch((error) => {
          if (!isNetworkError(error)) throw error;
          return buyOne()(of(place));
        }),
      );
      outcomes.push(run.outcome);
    }
    expect(outcomes).toEqual(['bought twice', 'bought twice', 'noticed']);
  },
);

const renew = async (client: Caller, policy_no: string) => {
  const input = exampleOf('topUpMicroHealthSubscription', { policy_no });
  const { status, text } = await client.call('topUpMicroHealthSubscription', input);
  if (status !== 200) throw new Error(text);
};

describe('failures', () => {
  test('every operation that was called meets every failure, and a verify one more', async () => {
    const { operations, runs } = await chaos({ run: buyOne(), slow: 1 });
    expect(operations).toEqual([
      { operation: 'initiateMotorPolicy', calls: 1, disturbed: 1 },
      { operation: 'verifyMotorPolicy', calls: 1, disturbed: 1 },
    ]);
    const seven = ['503', 'refused', 'lost', 'cut', 'garbage', 'gateway', 'slow'];
    expect(runs.map(({ operation, failure }) => [operation, failure])).toEqual([
      ...seven.map((failure) => ['initiateMotorPolicy', failure]),
      ...[...seven, 'expired'].map((failure) => ['verifyMotorPolicy', failure]),
    ]);
    expect(runs.every(({ outcome }) => outcome !== 'did not come')).toBe(true);
  });

  test('a failure happens once, to one call', async () => {
    const seen: (number | string)[] = [];
    await disturb('listMotorPolicies:503', async ({ fetch }) => {
      for (let call = 0; call < 3; call++) {
        const path = '/api/merchant/get_comprehensive_motor_policies';
        const { status, headers } = await fetch(path);
        seen.push(status, headers.get('retry-after') ?? 'none');
      }
    });
    // The undisturbed run comes first.
    expect(seen).toEqual([
      ...[200, 'none', 200, 'none', 200, 'none'],
      ...[503, '0', 200, 'none', 200, 'none'],
    ]);
  });

  test.each([
    ['503', false],
    ['refused', false],
    ['429', false],
    ['lost', true],
    ['cut', true],
    ['garbage', true],
    ['gateway', true],
    ['slow', true],
    ['expired', false],
  ])('under %s the service has done its work: %s', async (failure, isDone) => {
    const run = await disturb(
      `verifyMotorPolicy:${failure}`,
      (place) => buyOne()(place).catch(() => 0),
      {
        slow: 1,
      },
    );
    expect(run.bought.length).toBe(isDone ? 1 : 0);
  });

  test('slow calls take as long as asked', async () => {
    const run = await disturb('verifyMotorPolicy:slow', buyOne(), { slow: 100 });
    expect(run).toMatchObject({ outcome: 'survived' });
    expect(run.duration_ms).toBeGreaterThanOrEqual(90);
  });

  test('a failure also meets a program that resets its World first', async () => {
    const run = await disturb('verifyMotorPolicy:lost', async (place) => {
      await place.fetch('/_sandbox/reset', { method: 'POST' });
      await again(() => buyOne()(place));
    });
    expect(run).toMatchObject({ outcome: 'bought twice' });
  });

  test('policies still count when the program resets its World after them', async () => {
    const run = await disturb('verifyMotorPolicy:lost', async (place) => {
      await again(() => buyOne()(place));
      await place.fetch('/_sandbox/reset', { method: 'POST' });
    });
    expect(run).toMatchObject({ outcome: 'bought twice' });
  });

  test('merchants that the program creates belong to its run', async () => {
    const run = await disturb('verifyMotorPolicy:lost', async ({ url }) => {
      const created = await fetch(`${url}/_sandbox/merchants`, {
        method: 'POST',
        body: JSON.stringify({ records: { motor: 2 } }),
        headers: { 'content-type': 'application/json' },
      });
      const { api_key: key } = await created.json();
      await again(() => buyOne()({ url, key, fetch }));
    });
    expect(run).toMatchObject({
      outcome: 'bought twice',
      differences: [{ undisturbed: 1, bought: 2 }],
    });
    // Not the records that the merchant began with.
    expect(run.bought).toHaveLength(1);
  });

  test('a program that makes up a customer in every run is judged by numbers', async () => {
    let customer = 0;
    const buyNew = (place: Parameters<typeof callerAt>[0]) =>
      buy(callerAt(place), 'motor', { contact_person_name: `Customer ${++customer}` });
    expect(
      await disturb('initiateMotorPolicy:lost', (place) => again(() => buyNew(place))),
    ).toMatchObject({
      outcome: 'survived',
    });
    expect(
      await disturb('verifyMotorPolicy:lost', (place) => again(() => buyNew(place))),
    ).toMatchObject({
      outcome: 'bought twice',
      differences: [{ undisturbed: 0, bought: 1 }],
    });
  });

  test('a policy for one customer in place of another is bought twice', async () => {
    const names = ['Ada Obi', 'Bola Ade'];
    const run = await disturb('verifyMotorPolicy#1:lost', async (place) => {
      const client = callerAt(place);
      const todo = [...names];
      // After a failure it forgets the last customer instead of the first.
      for (const name of names) {
        const input = { contact_person_name: todo[0] ?? name };
        await buy(client, 'motor', input).then(
          () => todo.shift(),
          () => todo.pop(),
        );
      }
    });
    expect(run).toMatchObject({
      outcome: 'bought twice',
      differences: [
        { holder: 'Ada Obi', undisturbed: 1, bought: 2 },
        { holder: 'Bola Ade', undisturbed: 1, bought: 0 },
      ],
    });
  });

  test('a run that never makes the call says so', async () => {
    let runs = 0;
    const run = await disturb('verifyMotorPolicy:lost', async (place) => {
      const client = callerAt(place);
      if (runs++ === 0) await buy(client, 'motor');
      else await client.call('listMotorPolicies');
    });
    expect(run).toMatchObject({ passed: true, outcome: 'did not come' });
  });
});

describe('runs', () => {
  test('each has a key and a sandbox of its own, and finds the same state', async () => {
    const places: unknown[] = [];
    const tokens = new Set<string>();
    const { undisturbed, runs } = await chaos({
      only: 'initiateMotorPolicy',
      slow: 1,
      async run(place) {
        const client = callerAt(place);
        places.push(place.key);
        const { body } = await again(() => client.call('listMotorPolicies'));
        expect(body.data).toEqual([]);
        tokens.add(await again(() => initiate(client, 'motor')));
      },
      sandbox: { now: '2026-01-31T10:00:00Z', clock: 'frozen' },
    });
    expect(new Set(places).size).toBe(8);
    // Tokens are those of a sandbox without chaos, so that a test may expect them: the second where the first was lost.
    expect(tokens.size).toBe(2);
    expect(undisturbed.worlds).toMatchObject([
      { merchant: 'the program', key: 'sk_sandbox_chaos_undisturbed', calls: 2, bought: [] },
    ]);
    expect(runs[2]?.key).toBe('sk_sandbox_chaos_lost_1');
  });

  test('a report is the same every time, apart from durations', async () => {
    const report = async () =>
      JSON.stringify(
        await chaos({
          run: buyOne(),
          slow: 1,
          // Responses show the time, and errors quote them.
          sandbox: { now: '2026-01-31T10:00:00Z', clock: 'frozen' },
        }),
        (name, value) => (name === 'duration_ms' ? 0 : value),
      );
    expect(await report()).toBe(await report());
  });

  test('at most as many go side by side as asked', async () => {
    let running = 0;
    let most = 0;
    const run = async (place: Parameters<typeof callerAt>[0]) => {
      most = Math.max(most, ++running);
      await again(() => callerAt(place).call('listMotorPolicies'));
      running--;
    };
    await chaos({ run, jobs: 1, slow: 20 });
    expect(most).toBe(1);
    await chaos({ run, jobs: 3, slow: 20 });
    expect(most).toBeGreaterThan(1);
  });

  test('the options of the sandbox apply', async () => {
    const run = (place: Parameters<typeof callerAt>[0]) =>
      again(async () => {
        const client = callerAt(place);
        const wrong = await client.call(
          'initiateMicroHealthSubscription',
          purchaseOf('micro_health', { amount: 1 }),
        );
        if (wrong.status !== 200) throw new Error(wrong.text);
      });
    await expect(chaos({ run })).rejects.toThrow('amount');
    await expect(
      chaos({ run, slow: 1, sandbox: { amountCheck: 'ignore' } }),
    ).resolves.toBeDefined();
  });
});

describe('refusals', () => {
  test.each<[string, unknown, string]>([
    [
      'an unknown operation',
      { only: 'verifyMotorPolcy:lost' },
      'only: unknown operation "verifyMotorPolcy"; did you mean "verifyMotorPolicy"?',
    ],
    [
      'an unknown failure',
      { only: 'verifyMotorPolicy:losst' },
      'only: unknown failure "losst"; did you mean "lost"?',
    ],
    [
      'an unknown word',
      { only: ['garbge'] },
      'only: unknown operation or failure "garbge"; did you mean "garbage"?',
    ],
    [
      'a failure that the operation does not have',
      { only: 'getMotorQuote:expired' },
      'only: expired applies to verify calls only, not getMotorQuote.',
    ],
    [
      'an operation that is not called',
      { only: 'getMotorQuote' },
      'The program does not call getMotorQuote. It calls initiateMotorPolicy, verifyMotorPolicy.',
    ],
    [
      'a call beyond those there are',
      { only: 'verifyMotorPolicy#9:lost' },
      'There is no call verifyMotorPolicy#9: a merchant makes 1 call of this operation.',
    ],
    [
      'a call without a number',
      { only: 'verifyMotorPolicy#first' },
      'only: the number of a call is a whole number from 1; got "verifyMotorPolicy#first".',
    ],
    ...['verifyMotorPolicy#2#9:lost', 'verifyMotorPolicy:lost:cut', ':lost', 'lost:', '#1', ''].map(
      (only): [string, unknown, string] => [
        `more or less than a form: ${only}`,
        { only: [only] },
        `only: expected operation#number:failure or a part of it, such as verifyGroupLifePolicy#2:lost; got "${only}"`,
      ],
    ),
    [
      'killed',
      { only: 'verifyMotorPolicy:killed' },
      'only: killed needs a command, because a function cannot be killed.',
    ],
    ['no time at all', { times: 0 }, 'times must be a whole number of at least 1; got 0.'],
    ['some calls', { calls: 'some' }, 'calls must be "first" or "all"; got "some".'],
    ['no function', { run: 'npm test' }, 'run must be a function; got "npm test".'],
    ['no text', { only: [5] }, 'only must be a string or an array of strings; got [5].'],
    [
      'no options of a sandbox',
      { sandbox: null },
      'sandbox must be an object with options of createSandbox; got null.',
    ],
    ['a fraction of a job', { jobs: 0.5 }, 'jobs must be a whole number of at least 1; got 0.5.'],
    [
      'an option that is none',
      { jbos: 2 },
      'Unknown option "jbos"; did you mean "jobs"? Known options: run, only, calls, times, jobs, timeout, slow, sandbox.',
    ],
  ])('%s is refused', async (_, options, message) => {
    const refused = chaos({ run: buyOne(), ...(options as object) });
    await expect(refused).rejects.toThrow(ChaosError);
    await expect(refused).rejects.toThrow(message);
  });

  test.each([[], [null], ['npm test'], [() => undefined]])(
    'no object with options is refused, with what to write: %o',
    async (...args) => {
      const refused = Reflect.apply(chaos, undefined, args);
      await expect(refused).rejects.toThrow(ChaosError);
      await expect(refused).rejects.toThrow(
        'chaos takes an object with a function: chaos({ run: ({ url, key, fetch }) => … }); got ',
      );
    },
  );

  test('an invalid option of the sandbox is refused as it was given', async () => {
    const sandbox = { seed: 'x' } as object;
    await expect(chaos({ run: buyOne(), sandbox })).rejects.toThrow(
      'seed must be a whole number from 0 to 4294967295; got "x".',
    );
  });

  test('a program that fails undisturbed is refused with its error', async () => {
    await expect(
      chaos({
        run: () => {
          throw new Error('no amount');
        },
      }),
    ).rejects.toThrow(
      'The undisturbed run threw: no amount. Make it pass first. If it fails only sometimes, run chaos again.',
    );
  });

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'undefined'],
    ['a text', 'no amount', 'no amount'],
    ['an error without a message', new TypeError(), 'TypeError'],
    ['an object without a text', Object.create(null), '{}'],
  ])('a program that throws %s is refused, and its sandbox closes', async (_, thrown, shown) => {
    let url = '';
    const run = async (place: { readonly url: string }) => {
      url = place.url;
      throw thrown;
    };
    await expect(chaos({ run })).rejects.toThrow(`The undisturbed run threw: ${shown}.`);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('a program that calls nothing is refused', async () => {
    await expect(chaos({ run: () => undefined })).rejects.toThrow(
      'The undisturbed run called no operation of a sandbox. Let the function send its calls with fetch, or to url with key; with sandbox: { autoMerchants: true }, it may make up its keys.',
    );
  });

  test('a program with a wrong key is refused with a hint', async () => {
    await expect(
      chaos({ run: ({ url }) => fetch(`${url}/api/merchant/get_comprehensive_motor_policies`) }),
    ).rejects.toThrow(
      'The undisturbed run called no operation of a sandbox and sent 1 request without a valid key. Let the function send its calls with fetch,',
    );
  });

  test('invalid fixtures are refused', async () => {
    await expect(
      chaos({ run: buyOne(), sandbox: { fixtures: { 'nothing.json': {} } } }),
    ).rejects.toMatchObject({ name: 'FixtureError' });
  });
});
