/* What the page knows of its sandbox. */

import type { Contract } from '../contract.ts';

/** Set before the first rendering. */
export let contract: Contract;

export function setContract(given: Contract): void {
  contract = given;
}

/** The operation of a family, by its tag, with this role. A family may have no renewal. */
export const operationOf = (tag: string | undefined, role: string) =>
  contract.operations.find((operation) => operation.tag === tag && operation.role === role);
