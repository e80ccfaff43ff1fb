import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFamilies } from '../../src/products/world.ts';
import { createClient, lists } from '../support/client.ts';
import { control } from '../support/control.ts';
import { runsOf } from '../support/depth.ts';
import { buy, exampleOf, familyKeys, initiate, namedField } from '../support/requests.ts';

/*
 * Changes one thing in a snapshot. Either it is refused and nothing happens, or every call works in the restored World,
 * and its next snapshot can be restored too.
 */

const RUNS = runsOf({ sample: 30, ci: 80, all: 3_000 });

// biome-ignore lint/suspicious/noExplicitAny: a snapshot is read and changed freely
type Any = any;
type Path = readonly string[];

/** Replacement values of every type, and at the limits of valid values. */
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

/** A snapshot with policies and pending purchases of each family, a renewal, an expired purchase, a fault and used tokens. */
async function createSnapshot(): Promise<Any> {
  const client = createClient();
  for (const family of familyKeys) await initiate(client, family);
  client.merchant.clock.advance('PT20M');
  for (const family of familyKeys) {
    await buy(client, family);
    await initiate(client, family);
    await initiate(client, family);
  }
  const { policy_no } = await buy(client, 'micro_health');
  const renewal = exampleOf('topUpMicroHealthSubscription', { policy_no });
  expect((await client.call('topUpMicroHealthSubscription', renewal)).status).toBe(200);
  client.merchant.faults.add({
    match: { operation: 'getMotorQuote', body: { vehicle_value: 1 } },
    stage: 'before',
    effect: { kind: 'respond', status: 429 },
  });
  client.merchant.journal.clear();
  return JSON.parse(JSON.stringify(client.merchant.snapshot()));
}

/** Every place in a document, except the document itself. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]));
  return path.length > 0 ? [path, ...inside] : inside;
}

const valueAt = (document: Any, path: Path): Any =>
  path.reduce((value, key) => value[key], document);

/** Replaces or removes the value at a place. */
function changed(document: Any, path: Path, value: unknown): Any {
  const copy = structuredClone(document);
  const holder = valueAt(copy, path.slice(0, -1));
  const key = path.at(-1) as string;
  if (value !== undefined) holder[key] = value;
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
  return copy;
}

/** Every call that uses the contents of a World: lists, pending purchases, policies, products. */
function* callsAbout(world: Any): Generator<[operationId: string, input: object]> {
  const dates = { start_date: '2026-01-31', end_date: '9999-12-31' };
  for (const { operationId } of lists) {
    for (const input of [{}, { page: 2, per_page: 1 }, { period: 'year' }, dates]) {
      yield [operationId, input];
    }
  }
  for (const { key, operations } of anyFamilies) {
    const { products } = world.values.price_list;
    const numbers: string[] = world[`${key}.policies`].map(
      ({ policy_no, policy_number = policy_no }: Any) => policy_number,
    );
    // A path cannot contain some numbers.
    const inPath = numbers.filter((each) => !/^\.*$|\p{Surrogate}/u.test(each));
    for (const { operationId, method, request } of operations) {
      const field = namedField(operationId) ?? 'product_id';
      if (!request.body && !request.params) continue;
      const held = {
        token: Object.keys(world[`${key}.pending`]),
        product_id: products.map(({ id }: Any) => id),
      }[field];
      const values = held ?? (method === 'get' ? inPath : numbers);
      for (const value of values) yield [operationId, exampleOf(operationId, { [field]: value })];
    }
  }
}

test('a snapshot with one change is refused, or restores a World in which everything works', async () => {
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
        expect(merchant.snapshot()).toEqual(before);
        return;
      }
      taken++;
      const takeBack = async (when: string) => {
        const { body: own } = await control(sandbox, 'getSnapshot', { key });
        const again = await control(sandbox, 'putSnapshot', { key, body: own });
        expect(again.status, `its own snapshot ${when}: ${again.text}`).toBe(200);
      };
      await takeBack('at once');
      for (const [operationId, input] of [...callsAbout(body.world), ...callsAbout(body.world)]) {
        const { status, text } = await client.call(operationId, input);
        expect(status, `${operationId} ${JSON.stringify(input)}: ${text}`).toBeLessThan(500);
      }
      await takeBack('after every call');
      await control(sandbox, 'advanceClock', { key, body: { by: 'P1M' } });
      await takeBack('after a month');
    }),
    RUNS,
  );
  expect(taken, 'how many were taken').toBeGreaterThan(0);
});
