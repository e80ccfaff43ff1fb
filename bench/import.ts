/* What a test file pays before its first assertion: the import of the package, a merchant, and a purchase. */

import { execFileSync } from 'node:child_process';
import { createSandbox } from '../src/index.ts';
import { type Effort, type Figure, quantile, ratioOf, runCooperatively } from './measure.ts';
import { fromRoot } from './start-up.ts';

/** Prints the milliseconds of processor time that an import takes in a new process. */
const SCRIPT = `
const since = process.cpuUsage();
await import(process.argv[1]);
const { user, system } = process.cpuUsage(since);
console.log((user + system) / 1000);
`;

/** Without it, Node 20 reads the file that this variable names at every start. */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

const importing = (url: string) => () =>
  Number(
    execFileSync(process.execPath, ['--input-type=module', '--eval', SCRIPT, url], {
      env,
    }).toString(),
  );

/** Compares the import of the built package with that of its libraries, and measures what follows. */
export async function measureImport({ rounds, warmUps, quick }: Effort): Promise<Figure[]> {
  const section = 'import';
  const contenders = {
    ours: importing(`file://${fromRoot('dist/index.js')}`),
    libraries: importing(new URL('./libraries.mjs', import.meta.url).href),
  };
  await runCooperatively(warmUps, contenders);
  const { ours, libraries } = await runCooperatively(rounds * 2, contenders);
  const best = (taken: readonly number[]) => `${quantile(taken, 0).toFixed(0)} ms`;
  const times = quick ? 20 : 200;
  const sandbox = createSandbox();
  const merchant = sandbox.createMerchant();
  const purchase = () => merchant.buy('motor');
  await medianOf(times, purchase);
  return [
    {
      section,
      name: 'processor time of an import of the package ÷ of its libraries',
      ...ratioOf(ours, libraries),
      detail: `${best(ours)}, libraries ${best(libraries)}`,
      target: { atMost: 3 },
    },
    {
      section,
      name: `creating a merchant (median of ${times})`,
      value: await medianOf(times, () => sandbox.createMerchant()),
      unit: 'ms',
      target: { atMost: 0.2 },
    },
    {
      section,
      name: `merchant.buy in process (median of ${times})`,
      value: await medianOf(times, purchase),
      unit: 'ms',
      target: { atMost: 2 },
    },
  ];
}

/** The median milliseconds of one of many runs. */
async function medianOf(times: number, work: () => unknown): Promise<number> {
  const taken: number[] = [];
  for (let done = 0; done < times; done++) {
    const since = performance.now();
    await work();
    taken.push(performance.now() - since);
  }
  return quantile(taken, 0.5);
}
