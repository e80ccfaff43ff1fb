import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { takeSamples } from './calls.ts';
import { measureGrowth, measureMemory } from './growth.ts';
import { measureInProcess } from './in-process.ts';
import { measureLoopback } from './loopback.ts';
import { type Effort, type Figure, isMet, tableOf } from './measure.ts';

const words = process.argv.slice(2);
const quick = words.includes('--quick');
const wanted = words.filter((word) => !word.startsWith('--'));
const effort: Effort = { quick, rounds: quick ? 3 : 11 };

const taken = await takeSamples();
const sections: Readonly<Record<string, () => Promise<Figure[]>>> = {
  'in-process': () => measureInProcess(taken, effort),
  loopback: () => measureLoopback(taken, effort),
  growth: () => measureGrowth(effort),
  memory: () => measureMemory(effort),
};

const figures: Figure[] = [];
for (const [name, measure] of Object.entries(sections)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`${name} …`);
  figures.push(...(await measure()));
}

const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}`;
writeFileSync('bench/results.json', `${JSON.stringify({ machine, effort, figures }, null, 2)}\n`);
console.log(`\n${machine}\n\n${tableOf(figures)}`);
const missed = figures.filter((figure) => !isMet(figure));
console.log(`\n${figures.length} figures, ${missed.length} missed; also in bench/results.json`);
