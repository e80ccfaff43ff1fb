import type { Fetch } from '../../../src/contract/client.ts';
import { createSandbox, type SandboxOptions } from '../../../src/index.ts';
import { anyFamilies } from '../../../src/products/world.ts';
import type { MutableResponse } from './mutate.ts';

/** A sandbox with one thing changed, and where a check has to see it. */
export interface Mutant {
  readonly name: string;
  readonly family: string;
  readonly operation: string;
  /** One of these, positions left open. */
  readonly paths: readonly string[];
  /** @param changed called when it first does otherwise; one that never does is no mutant */
  serve(changed: () => void): Fetch;
}

export const OPTIONS: SandboxOptions = {
  now: '2026-01-31T10:00:00.250Z',
  clock: 'frozen',
  seed: 7,
};

export const plain = (): Fetch => {
  const sandbox = createSandbox(OPTIONS);
  return (request) => sandbox.fetch(request);
};

export type Change = (response: MutableResponse) => void;

export const onSuccess =
  (change: (body: MutableResponse['body']) => void): Change =>
  ({ body }) => {
    if (body?.success === true) change(body);
  };
export const onFailure =
  (change: Change): Change =>
  (response) => {
    if (response.body?.success === false) change(response);
  };

export const operations = anyFamilies.flatMap((family) =>
  family.operations.map((operation) => ({ family: family.key, operation })),
);

export type Make = (name: string, paths: readonly string[], change: Change) => Mutant;
