import { expect } from 'vitest';

/**
 * Checks that the keys of a value have the order of its schema, at every depth. A restored World has been parsed by its
 * schemas, which order keys, so its responses are the same bytes only if the order was the same before.
 */
export function expectKeyOrder(value: unknown, parsed: unknown, place: string): void {
  if (typeof value !== 'object' || value === null) return;
  const [keys, declared] = [Object.keys(value), Object.keys(Object(parsed))];
  if (keys.join() !== declared.join()) {
    expect.fail(
      `${place} has the keys ${keys.join(', ')}. Write them in the order of its schema, as a restored World does: ${declared.join(', ')}`,
    );
  }
  for (const key of keys) {
    expectKeyOrder(Reflect.get(value, key), Reflect.get(Object(parsed), key), `${place}.${key}`);
  }
}
