/* A program under `chaos` that brings its own sandbox: its calls fail and count as those of the sandbox of the run. */

import { RUN_VARIABLE } from '../../sandbox/start-options.ts';
import { readEnvironment } from '../../world/platform.ts';
import { truncate } from '../../world/problem-texts.ts';
import { createSharedLedger, type Ledger } from './ledger.ts';
import {
  createRunObserver,
  type KnownTest,
  type RunningTest,
  type RunObserver,
  type RunPlan,
} from './observer.ts';
import { ChaosError } from './public.ts';

/** What the variable says. */
export interface EmbeddedRun extends RunPlan {
  /** The folder of the ledger. */
  readonly folder: string;
}

interface Embedded {
  readonly text: string;
  readonly observer: RunObserver;
}

/** All sandboxes of this process have the same. */
let embedded: Embedded | undefined;

function readRun(): Embedded | undefined {
  const text = readEnvironment()[RUN_VARIABLE];
  if (!text) return undefined;
  if (embedded?.text === text) return embedded;
  const { folder, ...plan } = parseRun(text);
  embedded = { text, observer: createRunObserver(plan, forgiving(createSharedLedger(folder))) };
  return embedded;
}

function parseRun(text: string): EmbeddedRun {
  try {
    return JSON.parse(text);
  } catch {
    throw new ChaosError(`Only chaos sets ${RUN_VARIABLE}. Unset it; got ${truncate(text)}.`);
  }
}

/** A call is answered even if its note cannot be written. `chaos` finds that out by itself. */
const forgiving = (ledger: Ledger): Ledger => ({
  ...ledger,
  add: (note) => {
    try {
      ledger.add(note);
    } catch {}
  },
  addWorld: (note) => {
    try {
      return ledger.addWorld(note);
    } catch {
      return -1;
    }
  },
});

/** The observer of a sandbox that a program under `chaos` creates; undefined outside of `chaos`. */
export const embeddedObserver = (): RunObserver | undefined => readRun()?.observer;

/** Tells `chaos` of a test, before anything else happens in it. Undefined outside of `chaos`. */
export const beginTest = (test: KnownTest): RunningTest | undefined =>
  readRun()?.observer.beginTest(test);
