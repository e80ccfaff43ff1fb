/* The time from the start of a process to its first response, compared with bare servers. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { callOf, PATHS, QUOTE } from './calls.ts';
import { type Contender, start } from './commands.ts';
import { type Effort, type Figure, quantile, ratioOf, runCooperatively } from './measure.ts';

/** A file of the project. The benchmarks run from node_modules/.cache/bench. */
export const fromRoot = (path: string) =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const call = callOf(PATHS.quote, QUOTE);

export const SANDBOX: Contender = {
  command: (port) => [fromRoot('bin/micro-insurance-sandbox.cjs'), '--port', `${port}`, '--quiet'],
  call,
};

/** The smallest server that returns a quote. */
export const LEAST: Contender = {
  command: (port) => [fromRoot('bench/servers/least.cjs'), `${port}`],
  call,
};

const STACK_FOLDER = fileURLToPath(new URL('./stack', import.meta.url));

/** The same stack without the sandbox, started with the same launcher. */
const STACK: Contender = {
  command: (port) => [`${STACK_FOLDER}/bin/stack.cjs`, `${port}`],
  call,
};

/** Compares the time from the start of the process to the first quote with bare servers. */
export async function measureStartUp({ rounds, warmUps }: Effort): Promise<Figure[]> {
  await keepStackCode();
  const contenders = {
    ours: () => startUp(SANDBOX),
    least: () => startUp(LEAST),
    stack: () => startUp(STACK),
  };
  await runCooperatively(warmUps, contenders);
  const { ours, least, stack } = await runCooperatively(rounds * 2, contenders);
  const best = (taken: readonly number[]) => `${quantile(taken, 0).toFixed(0)} ms`;
  return [
    {
      section: 'start-up',
      name: 'start-up to the first response ÷ bare node:http',
      ...ratioOf(ours, least),
      detail: `${best(ours)}, bare ${best(least)}; best runs ${ratioOfBest(ours, least)}`,
      target: { atMost: 2.5 },
    },
    {
      section: 'start-up',
      name: 'start-up to the first response ÷ the same stack bare',
      ...ratioOf(ours, stack),
      detail: `${best(ours)}, bare ${best(stack)}; best runs ${ratioOfBest(ours, stack)}`,
      target: { atMost: 1.1 },
    },
    await measureMcp(rounds),
  ];
}

const MCP_MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
];

/** The time from the start of `mcp` to its list of tools. */
async function measureMcp(rounds: number): Promise<Figure> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const since = performance.now();
    const child = spawn(process.execPath, [fromRoot('bin/micro-insurance-sandbox.cjs'), 'mcp'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    for (const message of MCP_MESSAGES) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    }
    let said = '';
    for await (const piece of child.stdout) {
      said += piece;
      if (said.includes('"tools":[')) break;
    }
    taken.push(performance.now() - since);
    child.kill();
    await once(child, 'close');
  }
  return {
    section: 'start-up',
    name: 'mcp: start to its list of tools',
    value: quantile(taken, 0.5),
    spread: [quantile(taken, 0.25), quantile(taken, 0.75)],
    unit: 'ms',
    target: { atMost: 200 },
  };
}

const ratioOfBest = (ours: readonly number[], theirs: readonly number[]): string =>
  (quantile(ours, 0) / quantile(theirs, 0)).toFixed(2);

/** Waits for the bare stack's code cache, which is written a second after the first start. */
async function keepStackCode(): Promise<void> {
  const { stop } = await start(STACK);
  for (let waited = 0; !existsSync(`${STACK_FOLDER}/dist/code`) && waited < 50; waited++) {
    await sleep(100);
  }
  await sleep(500);
  await stop();
}

export async function startUp(contender: Contender): Promise<number> {
  const started = await start(contender);
  await started.stop();
  return started.milliseconds;
}
