/* A program under `chaos` that brings its own sandbox: its calls fail and count as those of the sandbox of the run. */

import type { CallObserver } from '../../control/host.ts';
import { RUN_VARIABLE } from '../../start-options.ts';
import { readEnvironment } from '../../world/platform.ts';
import { createSharedLedger } from './ledger.ts';
import { createRunObserver, type RunPlan } from './observer.ts';

/** What the variable says. */
export interface EmbeddedRun extends RunPlan {
  /** The folder of the ledger. */
  readonly folder: string;
}

/** The observer of a sandbox that a program under `chaos` creates; undefined outside of `chaos`. */
export function embeddedObserver(): CallObserver | undefined {
  const text = readEnvironment()[RUN_VARIABLE];
  if (!text) return undefined;
  const { folder, ...plan } = JSON.parse(text) as EmbeddedRun;
  return createRunObserver(plan, createSharedLedger(folder));
}
