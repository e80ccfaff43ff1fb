import { describe, expect, test } from 'vitest';
import { applyProfile } from '../../src/control/profile.ts';
import { highestIds } from '../../src/products/family.ts';
import { builtInFixtures } from '../../src/products/fixtures.ts';
import { anyFamilies, DEFAULT_SETTINGS } from '../../src/products/world.ts';
import { createDemoClient } from '../support/client.ts';
import { expectKeyOrder } from '../support/key-order.ts';
import { problemsOf } from '../support/records.ts';
import { buy, type FamilyKey } from '../support/requests.ts';
import { stateWith } from './states.ts';

/* What `ProductFamily` promises, of every family there is; what is special about one stands in its folder. */

const fixtures = builtInFixtures();

describe.each(anyFamilies)('$key', (family) => {
  const records = family.records.parse(family.builtInRecords);
  const review = (among: object) => problemsOf(family.validateRecords(among, fixtures));
  const countOf = (merchantId: number | undefined, among = records) =>
    family.policiesOf(stateWith(family, family.selectMerchant(among, merchantId))).size;

  test('ships records of the demo merchant, and of nobody else', () => {
    expect(countOf(1), 'the demo merchant has nothing to look at').toBeGreaterThan(0);
    expect(family.selectMerchant(records, 1)).toEqual(records);
    expect(countOf(2)).toBe(0);
  });

  test('writes its fixture file in the order of its schemas', () => {
    expectKeyOrder(family.builtInRecords, records, 'fixture file');
  });

  test("makes its records another merchant's in every place that names one", () => {
    const assigned = family.assignMerchant(records, 7);
    expect(countOf(7, assigned), 'assignMerchant leaves records as they were').toBe(countOf(1));
    expect(countOf(1, assigned)).toBe(0);
    expect(family.assignMerchant(assigned, 1)).toEqual(records);
    expect(review(assigned)).toEqual([]);
  });

  test('gives back the records that a state was made of', () => {
    const dumped = family.dumpRecords(stateWith(family, records));
    expect(dumped).toEqual(records);
    expectKeyOrder(dumped, records, 'dumpRecords');
  });

  test('numbers its records on from the highest', () => {
    const highest = Object.values(highestIds(family, records));
    expect(highest.length, 'sequences is empty').toBeGreaterThan(0);
    for (const id of highest) expect(id).toBeGreaterThan(0);
    const none = family.selectMerchant(records, undefined);
    expect(Object.values(highestIds(family, none))).toEqual(highest.map(() => 0));
  });

  test('gives a purchase among its records numbers of its own', async () => {
    const client = createDemoClient();
    await buy(client, family.key as FamilyKey);
    const { families } = client.merchant.snapshot().world;
    const dump = Reflect.get(Object(families), family.key);
    expect(review(dump.records), 'sequences has to name the sequences that nextId counts').toEqual(
      [],
    );
  });

  test('offers no alternatives but to assumptions of its own, and is set as its settings say', () => {
    for (const [id, option] of Object.entries(family.profileOptions)) {
      expect(Object.keys(family.assumptions)).toContain(id);
      const set = option?.read(DEFAULT_SETTINGS);
      expect(applyProfile(DEFAULT_SETTINGS, { version: 1, decisions: { [id]: set } })).toEqual(
        DEFAULT_SETTINGS,
      );
    }
  });
});
