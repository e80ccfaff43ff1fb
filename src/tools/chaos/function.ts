/* `chaos` as a function: disturbs a program in this process, and reports what it survived. */

import { atCallersLine } from '../../control/caller.ts';
import {
  isText,
  type OptionRules,
  oneOf,
  unknownOption,
  validateOptions,
} from '../../sandbox/options.ts';
import type { SandboxOptions } from '../../types/public.ts';
import { onAbort } from '../../world/platform.ts';
import { describeValue, isPlainObject, truncate } from '../../world/problem-texts.ts';
import { attemptWith, type Program } from './attempt.ts';
import { runChaos } from './index.ts';
import { ChaosError, type ChaosPlace, type ChaosReport } from './public.ts';
import { CALL_CHOICES, type CallChoice, nameOf, parseSelected } from './selection.ts';

export interface ChaosOptions {
  /**
   * The program: it uses the sandbox, checks what it got, and throws if that is wrong. It is called once undisturbed,
   * then again with failures. Runs go side by side, so they must not share state.
   */
  readonly run: (place: ChaosPlace) => unknown;
  /** Which runs to do: `verifyMotorPolicy#2:lost`, `verifyMotorPolicy:lost`, `verifyMotorPolicy` or `lost`. Default: all. */
  readonly only?: string | readonly string[] | undefined;
  /** Disturb the first call of each operation, or all. Default: every call that changes something, and the first of others. */
  readonly calls?: CallChoice | undefined;
  /** How many times in a row the failure happens: at its call and at the next calls of the operation. Default: 1. */
  readonly times?: number | undefined;
  /** How many runs go side by side. Default: the number of cores. */
  readonly jobs?: number | undefined;
  /** Milliseconds that a run may take. Default: ten times the undisturbed run, at least 30,000. */
  readonly timeout?: number | undefined;
  /** Milliseconds that `slow` delays a call. Default: 2000. */
  readonly slow?: number | undefined;
  /** Options of the sandboxes, such as `fixtures`. */
  readonly sandbox?: Omit<SandboxOptions, 'onCall'> | undefined;
}

/**
 * Runs a function once undisturbed, then again with failures: each run disturbs one call of every merchant. Returns what
 * each merchant bought in spite of it. Every run has a sandbox for itself.
 *
 * Rejects with `ChaosError` if the undisturbed run throws or calls nothing, or if an option is invalid.
 *
 * @example
 * const report = await chaos({ run: ({ url, key }) => buyPolicy(url, key) });
 * expect(report.runs.filter(({ outcome }) => outcome === 'bought twice'), String(report)).toEqual([]);
 */
export const chaos: (options: ChaosOptions) => Promise<ChaosReport> = atCallersLine(
  async (options) => {
    refuseInvalid(options);
    const { run, only = [], calls, times, jobs, timeout, slow, sandbox = {} } = options;
    const selected = [only].flat().map((each) => parseSelected(each, 'only'));
    if (selected.some(({ failure }) => failure === 'killed')) {
      throw new ChaosError('only: killed needs a command, because a function cannot be killed.');
    }
    const { availableParallelism } = await import('node:os');
    return runChaos({
      only: selected,
      calls,
      times,
      jobs: jobs ?? availableParallelism(),
      timeoutMs: timeout,
      slowMs: slow,
      advice:
        'Let the function send its calls with fetch, or to url with key; with sandbox: { autoMerchants: true }, it may make up its keys.',
      repeat(runs) {
        const names = runs.map((run) => `'${nameOf(run)}'`);
        return `only: ${names.length > 1 ? `[${names.join(', ')}]` : names}`;
      },
      attempt: attemptWith(functionProgram(run), sandbox),
    });
  },
);

const wholeFrom = (least: number): NonNullable<OptionRules[string]> => [
  (value) => Number.isInteger(value) && Number(value) >= least,
  `a whole number of at least ${least}`,
];

/** What each option must be. */
const RULES: Readonly<Record<keyof ChaosOptions, NonNullable<OptionRules[string]>>> = {
  run: [(value) => typeof value === 'function', 'a function'],
  only: [(value) => [value].flat().every(isText), 'a string or an array of strings'],
  calls: oneOf(CALL_CHOICES),
  times: wholeFrom(1),
  jobs: wholeFrom(1),
  timeout: wholeFrom(1),
  slow: wholeFrom(0),
  sandbox: [isPlainObject, 'an object with options of createSandbox'],
};

function refuseInvalid(options: ChaosOptions): void {
  if (!isPlainObject(options)) {
    throw new ChaosError(
      `chaos takes an object with a function: chaos({ run: ({ url, key, fetch }) => … }); got ${describeValue(options)}.`,
    );
  }
  const known = Object.keys(RULES);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ChaosError(unknownOption(unknown, known));
  }
  for (const [name, rule] of Object.entries(RULES)) {
    const value = Reflect.get(options, name);
    if (rule[0](value) || (value === undefined && name !== 'run')) continue;
    throw new ChaosError(`${name} must be ${rule[1]}; got ${truncate(value)}.`);
  }
  validateOptions(options.sandbox ?? {});
}

/** A function as a program. One that takes too long can't be ended, but its sandbox closes. */
const functionProgram =
  (run: ChaosOptions['run']): Program =>
  ({ ending, url, key, fetch }) => {
    const late = new Promise<{ exit: null }>((resolve) => {
      onAbort([ending], () => resolve({ exit: null }));
    });
    const ended = (async () => run({ url, key, fetch }))().then(
      () => ({ exit: 0 }),
      (error: unknown) => ({ exit: 1, error: describeThrown(error) }),
    );
    return Promise.race([ended, late]);
  };

/** What a program threw: anything, even an object without a text. */
function describeThrown(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message || error.name : error);
  } catch {
    return truncate(error);
  }
}
