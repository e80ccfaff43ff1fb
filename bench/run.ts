import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { takeSamples } from './calls.ts';
import { measureChaos } from './chaos.ts';
import { measureGrowth, measureMemory } from './growth.ts';
import { measureHops } from './hops.ts';
import { measureImport } from './import.ts';
import { measureInProcess } from './in-process.ts';
import { measureLog } from './log.ts';
import { measureLoopback } from './loopback.ts';
import { type Figure, FULL, isMet, QUICK, tableOf } from './measure.ts';
import { measurePeers } from './peers.ts';
import { measureProxy } from './proxy.ts';
import { measureStartUp } from './start-up.ts';
import { measureState } from './state.ts';
import { measureWorkers } from './workers.ts';

const words = process.argv.slice(2);
const quick = words.includes('--quick');
const wanted = words.filter((word) => !word.startsWith('--'));
const effort = quick ? QUICK : FULL;

const taken = await takeSamples();
/** The sections of a run without arguments. */
const sections: Readonly<Record<string, () => Promise<Figure[]>>> = {
  'start-up': () => measureStartUp(effort),
  import: () => measureImport(effort),
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

const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}`;
const file = quick ? '.tmp/bench-quick.json' : `bench/${['results', ...wanted].join('-')}.json`;
if (quick) mkdirSync('.tmp', { recursive: true });
const figures: Figure[] = [];
/** Sections that could not be measured. */
const failed: string[] = [];
for (const [name, measure] of Object.entries(wanted.length > 0 ? known : sections)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const began = performance.now();
  try {
    figures.push(...(await measure()));
  } catch (error) {
    failed.push(name);
    console.error(error);
  }
  console.error(`${name}: ${Math.round((performance.now() - began) / 1000)} s`);
  // What was measured stays, whatever becomes of the next section.
  writeFileSync(file, `${JSON.stringify({ machine, effort, figures }, null, 2)}\n`);
}

// A quick run is too short to judge its figures.
const shown = quick ? figures.map(({ target: _, ...figure }) => figure) : figures;
console.log(`\n${machine}\n\n${tableOf(shown)}`);
const missed = shown.filter((figure) => !isMet(figure));
const judged = quick ? '' : `, ${missed.length} missed targets`;
console.log(`\n${figures.length} figures${judged}. Written to ${file}`);
if (failed.length > 0) {
  console.error(`These sections failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
