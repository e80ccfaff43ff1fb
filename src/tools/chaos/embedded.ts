/* A program under `chaos` that brings its own sandbox: its calls fail and count as those of the sandbox of the run. */

import { RUN_VARIABLE } from '../../sandbox/start-options.ts';
import { fileFunctions, readEnvironment } from '../../world/platform.ts';
import { truncate } from '../../world/problem-texts.ts';
import { addingTo } from './ledger.ts';
import {
  createRunObserver,
  type KnownTest,
  type RunningTest,
  type RunObserver,
  type RunPlan,
} from './observer.ts';
import { ChaosError } from './public.ts';

/** What the name of a run's folder begins with. The variable has its path. */
export const FOLDER_PREFIX = 'micro-insurance-sandbox-chaos-';
/** The file in it with the plan of the run. It may be too long for a variable. */
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
  if (!folder.includes(FOLDER_PREFIX)) {
    throw new ChaosError(`Only chaos sets ${RUN_VARIABLE}. Unset it; got ${truncate(folder)}.`);
  }
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
