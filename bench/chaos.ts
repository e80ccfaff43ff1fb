import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { ChaosReport } from '../src/node.ts';
import { type Effort, type Figure, quantile } from './measure.ts';
import { fromRoot } from './start-up.ts';

/**
 * Compares `chaos` on a merchant that calls twelve operations with its runs alone, spread over the cores. A quick run has
 * one failure of each call.
 */
export async function measureChaos({ quick }: Effort): Promise<Figure[]> {
  const jobs = availableParallelism();
  const ratios: number[] = [];
  let detail = '';
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    const since = performance.now();
    const { undisturbed, runs } = await runChaos(quick ? ['--only', 'lost'] : []);
    const taken = performance.now() - since;
    const alone = (runs.length * undisturbed.duration_ms) / jobs;
    ratios.push(taken / alone);
    detail = `${(taken / 1000).toFixed(1)} s for ${runs.length} runs, ${undisturbed.duration_ms} ms undisturbed`;
  }
  return [
    {
      section: 'chaos',
      name: `chaos ÷ (runs × undisturbed run ÷ ${jobs} jobs)`,
      value: quantile(ratios, 0.5),
      spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
      detail,
      target: { atMost: 1.3 },
    },
  ];
}

async function runChaos(flags: readonly string[]): Promise<ChaosReport> {
  const command = [process.execPath, fromRoot('examples/chaos/hasty.mjs')];
  const program = fromRoot('bin/micro-insurance-sandbox.cjs');
  const child = spawn(process.execPath, [program, 'chaos', '--json', ...flags, '--', ...command], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece) => pieces.push(piece));
  await once(child, 'close');
  return JSON.parse(Buffer.concat(pieces).toString());
}
