/* A program under `chaos` that brings its own sandbox: its calls fail and count as those of the sandbox of the run. */

import type { CallObserver } from '../../control/host.ts';
import { RUN_VARIABLE } from '../../start-options.ts';
import { readEnvironment } from '../../world/platform.ts';
import { truncate } from '../../world/problem-texts.ts';
import { createSharedLedger } from './ledger.ts';
import { createRunObserver, type RunPlan } from './observer.ts';
import { ChaosError } from './public.ts';

/** What the variable says. */
export interface EmbeddedRun extends RunPlan {
  /** The folder of the ledger. */
  readonly folder: string;
}

/** The observer of a sandbox that a program under `chaos` creates; undefined outside of `chaos`. */
export function embeddedObserver(): CallObserver | undefined {
  const text = readEnvironment()[RUN_VARIABLE];
  if (!text) return undefined;
  const { folder, ...plan } = readRun(text);
  return createRunObserver(plan, createSharedLedger(folder));
}

function readRun(text: string): EmbeddedRun {
  try {
    return JSON.parse(text);
  } catch {
    throw new ChaosError(`Only chaos sets ${RUN_VARIABLE}. Unset it; got ${truncate(text)}.`);
  }
}
