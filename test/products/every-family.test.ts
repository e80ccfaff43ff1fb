import { describe, expect, test } from 'vitest';
import { applyProfile } from '../../src/control/profile.ts';
import { changedSettings } from '../../src/openapi/document.ts';
import { highestIds } from '../../src/products/family.ts';
import { builtInFixtures } from '../../src/products/fixtures.ts';
import { anyFamilies, startPolicies } from '../../src/products/world.ts';
import { PUBLISHED } from '../../src/world/settings.ts';
import { createDemoClient } from '../support/client.ts';
import { expectKeyOrder } from '../support/key-order.ts';
import { buy, type FamilyKey } from '../support/requests.ts';

/* What `ProductFamily` requires of every family. The tests of a single family are in its folder. */

const fixtures = builtInFixtures();

describe.each(anyFamilies)('$key', (family) => {
  const written = fixtures.policies[family.key] ?? [];
  const file = { ...fixtures.prices[family.key], policies: written };
  /** The policies with which merchant `to` starts from the policies of merchant `from`. */
  const startOf = (from: number, to = from, policies = written) =>
    startPolicies({ [family.key]: policies }, from, to)[family.key] ?? [];

  test('ships records of the demo merchant only', () => {
    expect(startOf(1).length, 'the demo merchant has no records').toBeGreaterThan(0);
    expect(startOf(1)).toEqual(written);
    expect(startOf(2)).toEqual([]);
  });

  test('has a fixture file in the key order of its schemas', () => {
    expectKeyOrder(file, family.records().parse(file), 'fixture file');
  });

  test('names each of its lists of prices, in the order of their schema', () => {
    const lists = Object.keys(family.records().shape);
    expect([...Object.keys(family.priceLists), 'policies']).toEqual(lists);
  });

  test('assigns records to another merchant in every field that names one', () => {
    const assigned = startOf(1, 7);
    expect(startOf(7, 7, assigned), 'some records are not assigned').toEqual(assigned);
    expect(startOf(7, 1, assigned)).toEqual(written);
    expect(JSON.stringify(assigned)).not.toMatch(/"merchant_(user_)?id":1\b/);
  });

  test('finds the highest id of each sequence, or 0 without records', () => {
    const highest = Object.values(highestIds(family, written));
    expect(highest.length, 'sequences is empty').toBeGreaterThan(0);
    for (const id of highest) expect(id).toBeGreaterThan(0);
    expect(Object.values(highestIds(family, []))).toEqual(highest.map(() => 0));
  });

  test('gives a new purchase ids that no record has', async () => {
    const client = createDemoClient();
    await buy(client, family.key as FamilyKey);
    const table = client.merchant.snapshot().world[`${family.key}.policies`];
    const policies = table as readonly { readonly id: number }[];
    const idsBy = [{ name: 'id', idsIn: ({ id }: { id: number }) => [id] }, ...family.sequences];
    for (const { name, idsIn } of idsBy) {
      const ids = policies.flatMap((policy) => idsIn(policy));
      expect(new Set(ids).size, `${name}: sequences must name all that nextId counts`).toBe(
        ids.length,
      );
    }
  });

  test('has profile options only for its own assumptions, and the default values change nothing', () => {
    for (const setting of family.settings) {
      expect(Object.keys(family.assumptions)).toContain(setting.id);
      const decisions = { [setting.id]: setting.in(PUBLISHED) };
      const settings = applyProfile(PUBLISHED, { version: 1, decisions });
      expect(changedSettings(settings)).toEqual(new Map());
    }
  });
});
