/* How requests slow down as a World grows, and how much memory Worlds take. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Growth } from './growth-child.ts';
import { type Effort, type Figure, quantile, ratioOf, short } from './measure.ts';
import type { Memory } from './memory-child.ts';

/** Runs a benchmark file in a separate process with access to the garbage collector, and returns its result. */
async function tell<T>(file: string, ...words: readonly (string | number)[]): Promise<T> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), words.map(String), {
    execArgv: ['--expose-gc', '--max-old-space-size=12000'],
  });
  const [told] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${file} ended with ${code}`);
    }),
  ]);
  return told as T;
}

const MILLION = 1_000_000;

/** Measures requests as a World grows. */
export async function measureGrowth({ rounds, quick }: Effort): Promise<Figure[]> {
  const sizes = quick ? [1000, 5000] : [1000, 100_000, MILLION];
  const growth = await tell<Growth>('./growth-child.mjs', rounds, quick ? 50 : 500, ...sizes);
  return Object.entries(growth).flatMap(([name, bySize]) => {
    const least = bySize[1000] as number[];
    const each = name === 'snapshot';
    return sizes.slice(1).flatMap((size): Figure[] => {
      const taken = bySize[size];
      if (!taken) return [];
      const base = least.map((time) => time * (each ? size / 1000 : 1));
      const held = name === 'last page' || name === 'look-up';
      const what = each ? 'snapshot per subscription' : name;
      const figure = {
        section: 'growth',
        name: `${what} at ${size.toLocaleString('en')} ÷ at 1,000 subscriptions`,
        ...ratioOf(taken, base),
        detail: `${time(quantile(taken, 0))}, at 1,000 ${time(quantile(least, 0))}`,
        ...(held && size === MILLION && { target: { atMost: 1.2 } }),
      };
      return [figure];
    });
  });
}

const time = (microseconds: number): string =>
  microseconds < 1000 ? `${short(microseconds)} µs` : `${short(microseconds / 1000)} ms`;

/** Measures the memory of Worlds and subscriptions, and the time to create Worlds. */
export async function measureMemory({ quick }: Effort): Promise<Figure[]> {
  const worlds = quick ? 200 : 10_000;
  const { subscription, world } = await tell<Memory>(
    './memory-child.mjs',
    quick ? 1000 : 100_000,
    worlds,
  );
  const section = 'memory';
  const of = ` (mean of ${worlds.toLocaleString('en')})`;
  return [
    {
      section,
      name: 'memory of a subscription ÷ bytes of its JSON',
      value: subscription.heap / subscription.json,
      target: { atMost: 1.5 },
      detail: `${short(subscription.heap)} bytes, JSON ${short(subscription.json)}`,
    },
    {
      section,
      name: `creating a World${of}`,
      value: world.created,
      unit: 'ms',
      target: { atMost: 1 },
    },
    {
      section,
      name: `resetting an empty World${of}`,
      value: world.reset,
      unit: 'ms',
      target: { atMost: 1 },
    },
    { section, name: `first call of a World${of}`, value: world.called, unit: 'ms' },
    {
      section,
      name: `memory of a World after its first call${of}`,
      value: world.heap / 1024,
      unit: 'KiB',
    },
  ];
}
