/* A program under `chaos` that brings its own sandbox: its calls fail and count as those of the sandbox of the run. */

import { RUN_VARIABLE } from '../../sandbox/start-options.ts';
import { fileFunctions, readEnvironment } from '../../world/platform.ts';
import { addingTo } from './ledger.ts';
import {
  createRunObserver,
  type KnownTest,
  type RunningTest,
  type RunObserver,
  type RunPlan,
} from './observer.ts';

/** The file with the plan of a run, in the folder whose path the variable has. It may be too long for a variable. */
export const PLAN_FILE = 'plan.json';

interface Embedded {
  readonly folder: string;
  readonly observer: RunObserver;
}

/** All sandboxes of this process have the same. */
let embedded: Embedded | undefined;

function readRun(): Embedded | undefined {
  const folder = readEnvironment()[RUN_VARIABLE];
  if (!folder) return undefined;
  if (embedded?.folder === folder) return embedded;
  const observer = createRunObserver(readPlan(folder), addingTo(folder));
  embedded = { folder, observer };
  return embedded;
}

/** A program that empties its temporary folder is served undisturbed. `chaos` finds that out by itself. */
function readPlan(folder: string): RunPlan {
  try {
    return JSON.parse(fileFunctions().readFileSync(`${folder}/${PLAN_FILE}`, 'utf8'));
  } catch {
    return { start: 1 };
  }
}

/** The observer of a sandbox that a program under `chaos` creates; undefined outside of `chaos`. */
export const embeddedObserver = (): RunObserver | undefined => readRun()?.observer;

/** Tells `chaos` of a test, before anything else happens in it. Undefined outside of `chaos`. */
export const beginTest = (test: KnownTest): RunningTest | undefined =>
  readRun()?.observer.beginTest(test);
