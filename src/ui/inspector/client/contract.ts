/* What the page knows of its sandbox. */

import type { Contract } from '../contract.ts';

/** Set before the first rendering. */
export let contract: Contract;

export function setContract(given: Contract): void {
  contract = given;
}
