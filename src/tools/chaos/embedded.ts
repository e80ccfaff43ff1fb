/* A program under `chaos` that brings its own sandbox: its calls fail and count as those of the sandbox of the run. */

import type { MerchantAccount } from '../../control/merchant-store.ts';
import { RUN_VARIABLE } from '../../sandbox/start-options.ts';
import { readEnvironment } from '../../world/platform.ts';
import { truncate } from '../../world/problem-texts.ts';
import { createSharedLedger, type Ledger } from './ledger.ts';
import { createRunObserver, type RunObserver, type RunPlan } from './observer.ts';
import { ChaosError } from './public.ts';

/** What the variable says. */
export interface EmbeddedRun extends RunPlan {
  /** The folder of the ledger. */
  readonly folder: string;
}

interface Embedded {
  readonly text: string;
  readonly observer: RunObserver;
  readonly ledger: Ledger;
}

/** All sandboxes of this process have the same. */
let embedded: Embedded | undefined;

function readRun(): Embedded | undefined {
  const text = readEnvironment()[RUN_VARIABLE];
  if (!text) return undefined;
  if (embedded?.text === text) return embedded;
  const { folder, ...plan } = parseRun(text);
  const ledger = forgiving(createSharedLedger(folder));
  embedded = { text, ledger, observer: createRunObserver(plan, ledger) };
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

/** A test of the program, as a test kit knows it. */
export interface ToldTest {
  /** The same in every run. */
  readonly id: string;
  /** From 0. */
  readonly attempt: number;
  /** The merchant that the kit created for it. */
  readonly own: MerchantAccount | undefined;
  /** The merchants that were called while it ran. */
  readonly merchants: Iterable<MerchantAccount>;
  /** Undefined as long as it runs. */
  readonly passed?: boolean;
}

/** Tells `chaos` of a test: before its first call, and when it has ended. */
export function tellTest({ id, attempt, own, merchants, passed }: ToldTest): void {
  const run = readRun();
  if (!run) return;
  const { worldOf } = run.observer;
  const ownWorld = own && worldOf(own, id);
  const worlds = [...merchants].map((merchant) => worldOf(merchant));
  run.ledger.add({ kind: 'test', id, attempt, own: ownWorld, worlds, passed });
}
