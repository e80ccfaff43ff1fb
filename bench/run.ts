import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { takeSamples } from './calls.ts';
import { measureChaos } from './chaos.ts';
import { measureGrowth, measureMemory } from './growth.ts';
import { measureHops } from './hops.ts';
import { measureInProcess } from './in-process.ts';
import { measureLog } from './log.ts';
import { measureLoopback } from './loopback.ts';
import { type Effort, type Figure, isMet, tableOf } from './measure.ts';
import { measurePeers } from './peers.ts';
import { measureProxy } from './proxy.ts';
import { measureStartUp } from './start-up.ts';
import { measureState } from './state.ts';
import { measureWorkers } from './workers.ts';

const words = process.argv.slice(2);
const quick = words.includes('--quick');
const wanted = words.filter((word) => !word.startsWith('--'));
const effort: Effort = { quick, rounds: quick ? 3 : 11 };

const taken = await takeSamples();
/** The sections of a run without arguments. */
const sections: Readonly<Record<string, () => Promise<Figure[]>>> = {
  'start-up': () => measureStartUp(effort),
  hops: () => measureHops(wanted.includes('hops')),
  'in-process': () => measureInProcess(taken, effort),
  loopback: () => measureLoopback(taken, effort),
  log: () => measureLog(taken.samples, effort),
  growth: () => measureGrowth(effort),
  memory: () => measureMemory(effort),
  state: () => measureState(effort),
  proxy: () => measureProxy(taken.samples, effort),
  chaos: () => measureChaos(effort),
};

/** Sections that run only on request, because they require other packages. */
const onDemand = {
  peers: () => measurePeers(taken.samples, effort),
  workers: () => measureWorkers(effort),
};

const known = { ...sections, ...onDemand };
for (const name of wanted) {
  if (!Object.hasOwn(known, name)) {
    console.error(`Unknown section ${name}. Sections: ${Object.keys(known).join(', ')}`);
    process.exit(2);
  }
}

const figures: Figure[] = [];
for (const [name, measure] of Object.entries(wanted.length > 0 ? known : sections)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`${name} …`);
  figures.push(...(await measure()));
}

const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}`;
const file = `bench/results${wanted.length > 0 ? `-${wanted.join('-')}` : ''}.json`;
writeFileSync(file, `${JSON.stringify({ machine, effort, figures }, null, 2)}\n`);
console.log(`\n${machine}\n\n${tableOf(figures)}`);
const missed = figures.filter((figure) => !isMet(figure));
console.log(`\n${figures.length} figures, ${missed.length} missed targets. Written to ${file}`);
