/* What a warm call passes: the files and functions of `src` that run for it, by V8's precise coverage. */

import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { createSandbox } from '../src/index.ts';
import { sampleRequests } from '../src/products/sample-requests.ts';
import { callOf, requestOf } from './calls.ts';
import type { Figure } from './measure.ts';

/** The file that holds the bundled benchmarks and sandbox. */
const BUNDLE = fileURLToPath(import.meta.url);
/** Calls before the measured one, so that what is made once is made. */
const WARM_UPS = 50;

/**
 * Counts what an initiate and a clock move pass, in process.
 *
 * @param lists whether to print the functions of each file
 */
export async function measureHops(lists: boolean): Promise<Figure[]> {
  const { fetch } = createSandbox();
  const initiate = callOf(
    '/api/merchant/comprehensive_motor_initiate_policy',
    sampleRequests.initiateMotorPolicy,
  );
  const advance = callOf('/_sandbox/clock/advance', { by: 'PT1M' });
  const calls = [
    { name: 'a warm motor initiate', call: initiate, files: 26, functions: 95 },
    { name: 'a warm clock advance', call: advance, files: 14, functions: 45 },
  ];
  const figures: Figure[] = [];
  for (const { name, call, files, functions } of calls) {
    const send = async () => (await fetch(requestOf(call))).text();
    for (let sent = 0; sent < WARM_UPS; sent++) await send();
    const passed = await passedBy(send);
    const section = 'hops';
    figures.push(
      { section, name: `files that ${name} passes`, value: passed.size, target: { atMost: files } },
      {
        section,
        name: `functions that ${name} passes`,
        value: [...passed.values()].flat().length,
        target: { atMost: functions },
      },
    );
    if (!lists) continue;
    console.error(`\n${name}:`);
    for (const [file, names] of passed) console.error(`  ${file}: ${names.join(', ')}`);
  }
  return figures;
}

/** The functions of `src` that run during a call, by file. */
async function passedBy(call: () => Promise<unknown>): Promise<Map<string, string[]>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await call();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const bundle = result.find(({ url }) => url.startsWith('file:') && fileURLToPath(url) === BUNDLE);
  return byFile(bundle?.functions ?? []);
}

function byFile(functions: readonly Profiler.FunctionCoverage[]): Map<string, string[]> {
  const code = readFileSync(BUNDLE, 'utf8');
  // The bundler writes the path of each source before its code.
  const sources = [...code.matchAll(/^\/\/ (\S+\.(?:[mc]?[jt]sx?))$/gm)].map(
    ({ index, 1: path }) => ({
      index,
      path: path as string,
    }),
  );
  const files = new Map<string, string[]>();
  for (const { functionName, ranges } of functions) {
    const [{ count = 0, startOffset = 0 } = {}] = ranges;
    const file = sources.findLast(({ index }) => index <= startOffset)?.path ?? '';
    if (count === 0 || !file.startsWith('src/')) continue;
    files.set(file, [...(files.get(file) ?? []), functionName || '(anonymous)']);
  }
  return files;
}
