import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFamilies } from '../../src/products/world.ts';
import { type Client, createClient, lists } from '../support/client.ts';
import { control } from '../support/control.ts';
import { runsOf } from '../support/depth.ts';
import { buy, exampleOf, initiate, namedField } from '../support/requests.ts';

/*
 * One thing in a snapshot is changed. Either it is refused, and nothing happens; or every call works in the World
 * it makes, and what GET then answers is taken back.
 */

const RUNS = runsOf({ sample: 30, ci: 300, all: 3_000 });

// biome-ignore lint/suspicious/noExplicitAny: a snapshot is read and changed freely
type Any = any;
type Path = readonly (string | number)[];

/** What may stand where something else stood: of every type, and at the edges of what is read as what it is. */
const EDGES: readonly unknown[] = [
  ...[undefined, null, true, false, [], {}, [''], [null], ['a', 'b', 'c', 'd']],
  ...['', ' ', 'x', '\u0000', '\ud800', '0', '12345678901', 'monthly', 'yearly', 'running'],
  ...['2026-01-31', '0000-01-01', '9999-12-31', '2026-02-30', '2026-01-31 10:00:00'],
  ...['0000-01-01 00:00:00', '9999-12-31 23:59:59', '2026-01-31T10:00:00.000000Z'],
  ...['0000-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z', '2026-02-30T00:00:00.000000Z'],
  ...['1970-01-01T00:00:00.000Z', '2286-11-20T17:46:39.999Z', '0.00', '-1.00', '1e300'],
  ...[-0, 0, 1, 2, 3, 4, 99, -1, 0.5, 1e-300, 700.005, 1e12, 1e12 + 1, 1e15 + 1],
  ...[2 ** 53 - 1, 2 ** 53, 1e21, 1e300],
];

/** A snapshot with policies and pending purchases of each family, a renewal, a lapse, a fault and used tokens. */
async function createSnapshot(): Promise<Any> {
  const client = createClient();
  for (const { key } of anyFamilies) {
    await buy(client, key as Parameters<typeof buy>[1]);
    await initiate(client, key as Parameters<typeof buy>[1]);
  }
  client.merchant.clock.advance('PT20M');
  const { policy_no } = await buy(client, 'micro_health');
  const renewal = exampleOf('topUpMicroHealthSubscription', { policy_no });
  expect((await client.call('topUpMicroHealthSubscription', renewal)).status).toBe(200);
  for (const { key } of anyFamilies) {
    await initiate(client, key as Parameters<typeof buy>[1]);
    await initiate(client, key as Parameters<typeof buy>[1]);
  }
  client.merchant.faults.add({
    match: { operation: 'getMotorQuote', body: { vehicle_value: 1 } },
    stage: 'before',
    effect: { kind: 'respond', status: 429 },
  });
  await control(client.sandbox, 'clearJournal', { key: client.merchant.apiKey });
  return JSON.parse(JSON.stringify(client.merchant.snapshot()));
}

/** Every place in a document, the document itself left out. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, inner]) =>
    placesIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length > 0 ? [path, ...inside] : inside;
}

const valueAt = (document: Any, path: Path): Any =>
  path.reduce((value, key) => value[key], document);

/** The same with another value at a place, or with nothing there. */
function changed(document: Any, path: Path, value: unknown): Any {
  const copy = structuredClone(document);
  const holder = valueAt(copy, path.slice(0, -1));
  const key = path.at(-1) as string | number;
  if (value !== undefined) holder[key] = value;
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
  return copy;
}

/** Makes every call there is about what a World holds, and answers none of them with a failure of the service's own. */
async function callEverything(client: Client, { products, families }: Any): Promise<void> {
  const call = async (operationId: string, input: Readonly<Record<string, unknown>>) => {
    const { status, text } = await client.call(operationId, input);
    expect(status, `${operationId} ${JSON.stringify(input)}: ${text}`).toBeLessThan(500);
  };
  const listAll = async () => {
    for (const { operationId } of lists) {
      const dates = { start_date: '2026-01-31', end_date: '9999-12-31' };
      for (const input of [{}, { page: 2, per_page: 1 }, { period: 'year' }, dates]) {
        await call(operationId, input);
      }
    }
  };
  await listAll();
  for (const { key, policyList, operations } of anyFamilies) {
    const { records, pending } = families[key];
    const numbers = records[policyList].map(
      (policy: Any) => policy.policy_no ?? policy.policy_number,
    );
    for (const { operationId, method } of operations) {
      const field = namedField(operationId);
      if (field === 'token') for (const { token } of pending) await call(operationId, { token });
      else if (field !== undefined) {
        for (const number of numbers) {
          // Some numbers no path can carry.
          if (method === 'get' && (/^\.*$/.test(number) || /\p{Surrogate}/u.test(number))) continue;
          await call(operationId, exampleOf(operationId, { [field]: number }));
        }
      } else if (method === 'post') {
        for (const { id } of products)
          await call(operationId, exampleOf(operationId, { product_id: id }));
      }
    }
  }
  await listAll();
}

test('a snapshot with one thing changed is refused whole, or makes a World in which everything works', async () => {
  const saved = await createSnapshot();
  const places = placesIn(saved.world);
  const value = fc.oneof(
    fc.constantFrom(...EDGES),
    fc.constantFrom(...places).map((path) => valueAt(saved.world, path)),
    fc.jsonValue({ maxDepth: 1 }),
  );
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), value, async (path, instead) => {
      const client = createClient();
      const { sandbox, merchant } = client;
      const key = merchant.apiKey;
      const before = merchant.snapshot();
      const body = { ...saved, world: changed(saved.world, path, instead) };
      const put = await control(sandbox, 'putSnapshot', { key, body });
      if (put.status !== 200) {
        expect(put.status).toBe(422);
        expect(put.body.errors.length).toBeLessThanOrEqual(50);
        expect(merchant.snapshot()).toEqual(before);
        return;
      }
      taken++;
      const takeBack = async (when: string) => {
        const { body: own } = await control(sandbox, 'getSnapshot', { key });
        const again = await control(sandbox, 'putSnapshot', { key, body: own });
        expect(again.body.errors ?? [], `its own snapshot ${when}`).toEqual([]);
      };
      await takeBack('at once');
      await callEverything(client, body.world);
      await takeBack('after every call');
      await control(sandbox, 'advanceClock', { key, body: { by: 'P1M' } });
      await takeBack('after a month');
    }),
    RUNS,
  );
  expect(taken, 'how many were taken').toBeGreaterThan(0);
});

const FAMILIES = 'world.families';
const refused: Readonly<Record<string, (world: Any) => void>> = {
  [`${FAMILIES}.motor.pending.0.details.product_id: must name a product`]: ({ families }) => {
    families.motor.pending[0].details.product_id = 99;
  },
  [`${FAMILIES}.group_life.pending.0.details.product_id: must name a product`]: ({ families }) => {
    families.group_life.pending[0].details.product_id = 4;
  },
  [`${FAMILIES}.micro_health.pending.0.details.date_of_birth: expected`]: ({ families }) => {
    families.micro_health.pending[0].details.date_of_birth = '2026-02-30';
  },
  [`${FAMILIES}.micro_health.pending.0.details.amount: must be a number above 0`]: ({
    families,
  }) => {
    families.micro_health.pending[0].details.amount = 1e300;
  },
  [`${FAMILIES}.micro_health.pending.0.details.beneficiaries: expected at most 3`]: ({
    families,
  }) => {
    families.micro_health.pending[0].details.beneficiaries = Array(50).fill('Bola Ade');
  },
  [`${FAMILIES}.motor.pending.1.details.policy_number: policy number INS`]: ({ families }) => {
    const [{ details: first }, { details: second }] = families.motor.pending;
    Object.assign(second, { policy_number: first.policy_number, slug: first.slug });
  },
  'world.sequences.user: expected at most 1000000000000000, got 9007199254740991': (world) => {
    world.sequences.user = Number.MAX_SAFE_INTEGER;
  },
};

test.each(Object.keys(refused))('a snapshot is refused with its place: %s', async (place) => {
  const { version, world } = await createSnapshot();
  const { sandbox, merchant } = createClient();
  const before = merchant.snapshot();
  refused[place]?.(world);
  const put = { key: merchant.apiKey, body: { version, world } };
  const { status, body } = await control(sandbox, 'putSnapshot', put);
  expect(status).toBe(422);
  expect(body.errors).toEqual([expect.stringContaining(place)]);
  expect(merchant.snapshot()).toEqual(before);
});

test('a snapshot in which everything is wrong tells fifty problems', async () => {
  const { version, world } = await createSnapshot();
  const { sandbox, merchant } = createClient();
  const [one] = world.families.group_life.pending;
  const [member] = one.details.members;
  one.details.members = Array(60).fill({ ...member, gender: 'x' });
  const put = { key: merchant.apiKey, body: { version, world } };
  expect((await control(sandbox, 'putSnapshot', put)).body.errors).toHaveLength(50);
});
