import { expect } from 'vitest';
import type { Caller, Client } from '../support/client.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses and files as untyped JSON
export type Any = any;

/** The data of a successful response. */
export async function dataOf(client: Caller, operationId: string, input = {}): Promise<Any> {
  const { status, text, body } = await client.call(operationId, input);
  expect(status, text).toBe(200);
  return body.data;
}

/** The validation messages of a refused request. */
export async function problemsOf(client: Caller, operationId: string, input = {}): Promise<Any> {
  const { status, text, body } = await client.call(operationId, input);
  expect(status, text).toBe(422);
  return body.data.error;
}

/** Changes the World of a client through its snapshot. */
export function changeWorld({ merchant }: Client, change: (world: Any) => void): void {
  const saved = structuredClone(merchant.snapshot());
  change(saved.world);
  // It would not fit the changed World.
  Reflect.set(saved.world, 'history', []);
  merchant.restore(saved);
}
