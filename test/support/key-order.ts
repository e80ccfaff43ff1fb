import { expect } from 'vitest';

/**
 * Holds the order of a value's keys against what its schema made of it, at every depth. Schemas write keys
 * in the order they declare them, and a restored World has been through its schemas: only what stood in
 * their order before is answered to the byte afterwards.
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
