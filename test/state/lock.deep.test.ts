import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/node.ts';
import { newFolder } from '../node/command.ts';
import { amountOf } from '../support/depth.ts';

const ROUNDS = amountOf({ sample: 4, ci: 40, all: 250 });
const SANDBOXES = 8;

/** Leaves the lock of a killed sandbox: a socket that nobody listens on. */
async function leaveLock(path: string): Promise<void> {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await once(spawn(process.execPath, ['-e', script]), 'close');
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test('only one of several sandboxes takes over the lock of a killed one', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const state = join(newFolder(), 'state.json');
    await leaveLock(`${state}.lock`);
    const started = await Promise.allSettled(
      Array.from({ length: SANDBOXES }, async (_, place) => {
        // Different delays each time, so that they collide at every step.
        await turns((place * round) % 7);
        return startSandbox({ port: 0, state });
      }),
    );
    const running = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await Promise.all(running.map((server) => server.close()));
    expect(running, `round ${round}`).toHaveLength(1);
    for (const each of started) {
      if (each.status === 'rejected')
        expect(each.reason.message).toContain('is in use by another sandbox');
    }
  }
});
