import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ChaosPlace, MotorPolicy } from '../../src/node.ts';
import { chaos } from '../../src/node.ts';
import { nameOf } from '../../src/tools/chaos/selection.ts';
import type { Caller } from '../support/client.ts';
import { buy, exampleOf, initiate } from '../support/requests.ts';
import { again, buyOne, callerAt, disturb } from './programs.ts';

/** Buys for a customer, and looks the policy up before it buys again. */
async function buyCarefully(client: Caller, contact_person_name: string): Promise<void> {
  let expected: string | undefined;
  await again(async () => {
    if (expected !== undefined) {
      const { body } = await client.call('listMotorPolicies');
      if (body.data.some((each: MotorPolicy) => each.policy_number === expected)) return;
    }
    const input = exampleOf('initiateMotorPolicy', { contact_person_name });
    const { body } = await client.call('initiateMotorPolicy', input);
    expected = body.data.policy_number;
    const verified = await client.call('verifyMotorPolicy', { token: body.data.token });
    if (verified.status !== 200) throw new Error(verified.text);
  });
}

/** Buys for a customer, and does it all again if something fails. */
const buyHastily = (client: Caller, contact_person_name: string) =>
  again(() => buy(client, 'motor', { contact_person_name }));

/** Buys for five customers: one purchase is hasty. */
const suiteWith = (hasty: number) => async (place: ChaosPlace) => {
  for (let test = 1; test <= 5; test++) {
    const purchase = test === hasty ? buyHastily : buyCarefully;
    await purchase(callerAt(place), `Customer ${test}`);
  }
};

/** Buys a policy of each family, and renews one. */
async function shop(place: ChaosPlace): Promise<void> {
  const client = callerAt(place);
  const { policy_no } = await buy(client, 'micro_health');
  await client.call(
    'topUpMicroHealthSubscription',
    exampleOf('topUpMicroHealthSubscription', { policy_no }),
  );
  for (let n = 0; n < 3; n++) await buy(client, 'motor');
  for (let n = 0; n < 2; n++) await client.call('listMotorPolicies');
}

describe('which calls are disturbed', () => {
  const disturbedBy = async (options: object) => {
    const run = (place: ChaosPlace) => shop(place).catch(() => undefined);
    const { runs } = await chaos({ run, slow: 1, only: '503', ...options });
    return runs.map(({ operation, call }) => `${operation}#${call}`);
  };
  const renewed = ['Initiate', 'Verify', 'TopUp'].map(
    (each) => `${each.replace(/^./, (first) => first.toLowerCase())}MicroHealthSubscription#1`,
  );

  test('every call that changes something, and the first of those that only read', async () => {
    expect(await disturbedBy({})).toEqual([
      ...renewed,
      ...[1, 2, 3].map((call) => `initiateMotorPolicy#${call}`),
      ...[1, 2, 3].map((call) => `verifyMotorPolicy#${call}`),
      'listMotorPolicies#1',
    ]);
  });

  test('with calls: first, the first call of each operation', async () => {
    const motor = ['initiateMotorPolicy', 'verifyMotorPolicy', 'listMotorPolicies'];
    expect(await disturbedBy({ calls: 'first' })).toEqual([
      ...renewed,
      ...motor.map((operation) => `${operation}#1`),
    ]);
  });

  test('with calls: all, every call', async () => {
    expect(await disturbedBy({ calls: 'all', only: 'listMotorPolicies:503' })).toEqual([
      'listMotorPolicies#1',
      'listMotorPolicies#2',
    ]);
  });

  test('one call is disturbed whatever calls says', async () => {
    const only = ['verifyMotorPolicy#3:503', 'listMotorPolicies#2:503'];
    expect(await disturbedBy({ calls: 'first', only })).toEqual([
      'verifyMotorPolicy#3',
      'listMotorPolicies#2',
    ]);
  });

  test.each([
    { jobs: 2, slow: 300, most: 8 },
    { jobs: 1, slow: 1, most: 1 },
  ])(
    'slow runs wait side by side unless nothing may run beside a run: $most with jobs $jobs',
    async ({ jobs, slow, most }) => {
      let running = 0;
      const seen = new Set<number>();
      await chaos({
        only: 'slow',
        calls: 'all',
        ...{ jobs, slow },
        async run(place) {
          running += 1;
          seen.add(running);
          for (let made = 0; made < 10; made++) {
            await place.fetch(`${place.url}/api/merchant/get_comprehensive_motor_policies`);
          }
          running -= 1;
        },
      });
      expect(Math.max(...seen)).toBe(most);
    },
  );

  test('the report counts the calls of every operation, also of those that are not disturbed', async () => {
    const { operations } = await chaos({ run: shop, only: 'verifyMotorPolicy#2:slow', slow: 1 });
    expect(operations).toEqual([
      ...['initiateMicroHealthSubscription', 'verifyMicroHealthSubscription'].map((operation) => ({
        operation,
        calls: 1,
        disturbed: 0,
      })),
      { operation: 'topUpMicroHealthSubscription', calls: 1, disturbed: 0 },
      { operation: 'initiateMotorPolicy', calls: 3, disturbed: 0 },
      { operation: 'verifyMotorPolicy', calls: 3, disturbed: 1 },
      { operation: 'listMotorPolicies', calls: 2, disturbed: 0 },
    ]);
  });
});

describe('one hasty purchase among four careful ones is found', () => {
  test('for one merchant', async () => {
    const { runs, operations } = await chaos({ run: suiteWith(3), only: ['lost', 'gateway'] });
    const twice = runs.filter(({ outcome }) => outcome === 'bought twice');
    expect(twice.map(nameOf)).toEqual(['verifyMotorPolicy#3:lost', 'verifyMotorPolicy#3:gateway']);
    expect(twice.map(({ differences }) => differences[0]?.holder)).toEqual(
      Array(2).fill('Customer 3'),
    );
    expect(runs.filter(({ outcome }) => outcome === 'survived')).toHaveLength(18);
    expect(operations).toEqual([
      { operation: 'initiateMotorPolicy', calls: 5, disturbed: 5 },
      { operation: 'verifyMotorPolicy', calls: 5, disturbed: 5 },
    ]);
  });

  test('with a merchant for each', async () => {
    const { runs } = await chaos({
      sandbox: { autoMerchants: true },
      only: 'lost',
      run: async (place) => {
        await Promise.all(
          ['one', 'two', 'three'].map((key) =>
            (key === 'two' ? buyHastily : buyCarefully)(
              callerAt({ ...place, key, fetch }),
              `Customer ${key}`,
            ),
          ),
        );
      },
    });
    const twice = runs.filter(({ outcome }) => outcome === 'bought twice');
    expect(twice).toMatchObject([
      { merchant: 'two', operation: 'verifyMotorPolicy', call: 1, differences: [{ bought: 2 }] },
    ]);
    expect(runs).toHaveLength(6);
  });
});

describe('failures that repeat', () => {
  test('times: 3 fails three calls in a row', async () => {
    const seen: number[] = [];
    const { runs } = await chaos({
      only: 'listMotorPolicies#2:503',
      times: 3,
      jobs: 1,
      run: async ({ fetch }) => {
        for (let call = 0; call < 6; call++) {
          seen.push((await fetch('/api/merchant/get_comprehensive_motor_policies')).status);
        }
      },
    });
    expect(seen.slice(6)).toEqual([200, 503, 503, 503, 200, 200]);
    expect(runs).toMatchObject([{ call: 2, outcome: 'survived' }]);
  });

  test('a program that tries twice survives one failure, and notices two', async () => {
    const run = (place: ChaosPlace) => again(() => buyOne()(place), 2);
    expect(await disturb('initiateMotorPolicy:503', run)).toMatchObject({ outcome: 'survived' });
    expect(await disturb('initiateMotorPolicy:503', run, { times: 2 })).toMatchObject({
      outcome: 'noticed',
    });
  });
});

describe('a late call', () => {
  const VERIFY = '/api/merchant/comprehensive_motor_verify_policy';
  const SOON_MS = 50;

  /** Aborts soon after a server has got a verify call, however long it takes to get there. */
  function soonAfterArrival(): AbortSignal {
    const controller = new AbortController();
    const onStart = (message: unknown) => {
      if ((message as { request: IncomingMessage }).request.url !== VERIFY) return;
      unsubscribe('http.server.request.start', onStart);
      setTimeout(() => controller.abort(), SOON_MS);
    };
    subscribe('http.server.request.start', onStart);
    return controller.signal;
  }

  const verifyUntil = async (place: ChaosPlace, signalOf: () => AbortSignal) => {
    const token = await initiate(callerAt(place), 'motor');
    await place
      .fetch(place.url + VERIFY, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${place.key}` },
        body: JSON.stringify({ token }),
        signal: signalOf(),
      })
      .catch(() => undefined);
  };

  /** Gives up soon. A call in this process has arrived when it begins. */
  const impatient = (place: ChaosPlace) => verifyUntil(place, () => AbortSignal.timeout(SOON_MS));

  test.each([
    ['over a socket', (place: ChaosPlace) => verifyUntil({ ...place, fetch }, soonAfterArrival)],
    ['with its fetch', impatient],
  ])('is carried out although the program gave up, %s', async (_, program) => {
    const run = await disturb('verifyMotorPolicy:slow', program, { slow: 60_000 });
    expect(run).toMatchObject({ outcome: 'survived', bought: [{ count: 1 }] });
  });

  test('hang happens only if it is named, after the work is done', async () => {
    const { runs } = await chaos({ run: impatient, only: ['verifyMotorPolicy:hang'] });
    expect(runs).toMatchObject([{ failure: 'hang', outcome: 'survived', bought: [{ count: 1 }] }]);
    const all = await chaos({ run: buyOne(), slow: 1 });
    expect(all.runs.map(({ failure }) => failure)).not.toContain('hang');
  });
});

describe('the report', () => {
  test('shows the calls of a run that bought twice, the one that failed marked', async () => {
    const run = await disturb('verifyMotorPolicy:lost', suiteWith(3), {
      only: 'verifyMotorPolicy#3:lost',
      sandbox: { now: '2026-01-31T10:00:00Z', clock: 'frozen' },
    });
    const heads = run.calls.filter((line) => /^. \d\d|^…/.test(line));
    expect(heads).toEqual([
      '… 3 calls',
      '  2026-01-31',
      expect.stringMatching(/^ {2}10:00:00 POST .*verify_policy 200$/),
      expect.stringMatching(/^ {2}10:00:00 POST .*initiate_policy 200$/),
      expect.stringMatching(/^▸ 10:00:00 POST .*verify_policy lost {2}fault after; drop/),
      expect.stringMatching(/^ {2}10:00:00 POST .*initiate_policy 200$/),
      expect.stringMatching(/^ {2}10:00:00 POST .*verify_policy 200$/),
      expect.stringMatching(/^ {2}10:00:00 /),
      expect.stringMatching(/^… \d+ calls$/),
    ]);
    const failed = run.calls.slice(run.calls.findIndex((line) => line.startsWith('▸')));
    expect(failed.find((line) => line.includes('changed'))).toMatch(/\+ motor policy INS\d+/);
  });

  test('has no calls of a run that survived', async () => {
    expect((await disturb('verifyMotorPolicy:slow', buyOne(), { slow: 1 })).calls).toEqual([]);
  });

  test('is a table as text, so that a failed expect shows it', async () => {
    const report = await chaos({
      run: (place) => again(() => buyOne('group_life')(place)),
      only: ['verifyGroupLifePolicy:lost', 'verifyGroupLifePolicy:503'],
    });
    const lines = String(report).split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'Bought twice',
      expect.stringMatching(
        /^ {2}verifyGroupLifePolicy#1: passed; 2 policies instead of 1 \(product \d, 1 member, .+ \(.+ .+\)\)$/,
      ),
    ]);
    expect(lines.slice(-12)).toEqual([
      "    only: 'verifyGroupLifePolicy#1:lost'",
      '',
      'Undisturbed: 2 calls, 1 policy and 0 renewals.',
      '',
      '                         disturbed  ✓  2×',
      'initiateGroupLifePolicy     0 of 1',
      'verifyGroupLifePolicy       1 of 1  1   1',
      '',
      '✓ 1 survived   2× 1 bought twice',
      'Not tried:',
      '  refused, cut, garbage, gateway, slow, expired, 429, hang, killed',
      '',
    ]);
    expect(Object.keys(report)).toEqual(['undisturbed', 'operations', 'runs', 'complete']);
  });

  test('repeats several runs with an array, and its end has at most 80 columns', async () => {
    const blindly = (place: ChaosPlace) => buyOne()(place).catch(() => undefined);
    const report = await chaos({
      run: blindly,
      only: ['verifyMotorPolicy:refused', 'verifyMotorPolicy:503'],
    });
    expect(String(report)).toContain(
      "\n    only: ['verifyMotorPolicy#1:503', 'verifyMotorPolicy#1:refused']\n",
    );
    const one = await chaos({ run: blindly, only: 'verifyMotorPolicy:cut' });
    const lines = String(one).split('\n');
    const table = lines.slice(lines.findIndex((line) => line.startsWith('Undisturbed')));
    expect(table.filter((line) => line.length > 80)).toEqual([]);
  });

  test('says which failures did not happen, because a run made fewer calls', async () => {
    let runs = 0;
    const report = await chaos({
      only: 'listMotorPolicies#2:503',
      run: async ({ fetch }) => {
        const calls = runs++ === 0 ? 2 : 1;
        for (let n = 0; n < calls; n++) {
          await fetch('/api/merchant/get_comprehensive_motor_policies');
        }
      },
    });
    expect(report.operations).toEqual([{ operation: 'listMotorPolicies', calls: 2, disturbed: 0 }]);
    expect(report.runs).toMatchObject([{ outcome: 'did not come', exit: 0 }]);
    expect(String(report)).toContain('Did not come\n  listMotorPolicies#2: 503\n');
  });
});
