import { expect } from 'vitest';
import type { Caller, Client } from '../support/client.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read into answers and files freely; their form is checked
export type Any = any;

/** What a call answers that is accepted. */
export async function dataOf(client: Caller, operationId: string, input = {}): Promise<Any> {
  const { status, text, body } = await client.call(operationId, input);
  expect(status, text).toBe(200);
  return body.data;
}

/** The problems of what is refused as invalid, a sentence each. */
export async function problemsOf(client: Caller, operationId: string, input = {}): Promise<Any> {
  const { status, text, body } = await client.call(operationId, input);
  expect(status, text).toBe(422);
  return body.data.error;
}

/** Restores the World of a client with something in it changed. */
export function changeWorld({ merchant }: Client, change: (world: Any) => void): void {
  const saved = structuredClone(merchant.snapshot());
  change(saved.world);
  merchant.restore(saved);
}
