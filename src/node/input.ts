/* Standard input, as a sign that the program that started this one is still there. */

import { fstatSync } from 'node:fs';
import type { StandardInput } from './command.ts';

/** Standard input, if it is a pipe, a socket or a terminal. */
export function openStandardInput(): StandardInput | undefined {
  if (!process.stdin.isTTY && !isPipe(0)) return undefined;
  return {
    ended: () =>
      new Promise((resolve) => {
        process.stdin.once('error', () => resolve()).once('close', resolve);
        process.stdin.once('end', resolve).resume();
      }),
  };
}

function isPipe(descriptor: number): boolean {
  try {
    const input = fstatSync(descriptor);
    return input.isFIFO() || input.isSocket();
  } catch {
    // It is closed.
    return false;
  }
}
