/* A command as the program of a run: its output, its signals and its process group. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { startProblem, startProgram } from '../../node/start-program.ts';
import { RUN_VARIABLE } from '../../sandbox/start-options.ts';
import { sleepUnmocked } from '../../world/clock.ts';
import { grouped } from '../../world/grouped.ts';
import { type Environment, onAbort } from '../../world/platform.ts';
import { KILLED, type Program } from './attempt.ts';
import { ChaosError } from './public.ts';

/** How long a program is waited for. */
interface Patience {
  /** How long it has to end by itself after SIGTERM. */
  readonly graceMs: number;
  /** How long the output of an ended program is read. */
  readonly maxReadMs: number;
}
const PATIENCE: Patience = { graceMs: 2000, maxReadMs: 500 };

/** A command as a program: it finds its sandbox in `SANDBOX_URL` and `SANDBOX_KEY`, or brings its own. */
export const commandProgram =
  (
    [command = '', ...args]: readonly string[],
    environment: Environment,
    { graceMs, maxReadMs } = PATIENCE,
  ): Program =>
  async ({ url, key, run, folder, ending }) => {
    const child = await startProgram(command, args, {
      env: {
        ...environment,
        SANDBOX_URL: url,
        SANDBOX_KEY: key,
        SANDBOX_RUN: run,
        [RUN_VARIABLE]: folder,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that its children end with it and Ctrl+C does not reach it before the sandbox.
      detached: hasGroups,
      // Programs such as npm are scripts there.
      shell: !hasGroups,
    }).catch((error) => {
      throw new ChaosError(startProblem(error, command));
    });
    const output = readOutput(child);
    let isOver = false;
    const stopWaiting = onAbort([ending], () => {
      isOver = ending.reason !== KILLED;
      if (isOver) void endGently(child, graceMs);
      else endGroup(child, 'SIGKILL');
    });
    const closing = new AbortController();
    child.once('close', () => closing.abort());
    try {
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      endGroup(child, 'SIGKILL');
      await sleepUnmocked(maxReadMs, closing.signal);
      const exit = code ?? 128 + (signal ? constants.signals[signal] : 0);
      return { exit: isOver ? null : exit, output: output() };
    } finally {
      stopWaiting();
      child.stdout?.destroy();
      child.stderr?.destroy();
    }
  };

const hasGroups = process.platform !== 'win32';

async function endGently(child: ChildProcess, graceMs: number): Promise<void> {
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  endGroup(child, 'SIGTERM');
  await sleepUnmocked(graceMs, ended.signal);
  endGroup(child, 'SIGKILL');
}

/** Sends a signal to a program and its children. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (hasGroups) process.kill(-pid, signal);
    else child.kill(signal);
  } catch {
    // Nothing of it is left.
  }
}

/** Characters kept of a long output. */
const MAX_OUTPUT = 64 * 1024;

/** Reads what a program prints, in the order of its arrival, and keeps the end of it. */
function readOutput({ stdout, stderr }: ChildProcess): () => string {
  let kept = '';
  let leftOut = 0;
  const add = (text: string) => {
    kept += text;
    if (kept.length <= 2 * MAX_OUTPUT) return;
    leftOut += kept.length - MAX_OUTPUT;
    kept = kept.slice(-MAX_OUTPUT);
  };
  for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', add);
  return () => (leftOut === 0 ? kept : `… ${grouped(leftOut)} characters not shown …\n${kept}`);
}
