import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type SandboxServer, type ServerOptions, startSandbox } from '../../src/node/serve.ts';
import { START } from './client.ts';

export const newStateFile = (): string => join(mkdtempSync(join(tmpdir(), 'state-')), 'state.json');

/** A sandbox that keeps its state in a file; closed when the test is over. */
export async function startKept(file: string, options: ServerOptions = {}): Promise<SandboxServer> {
  const server = await startSandbox({
    port: 0,
    now: START,
    clock: 'frozen',
    seed: 7,
    state: file,
    ...options,
  });
  onTestFinished(async () => {
    await server.close();
  });
  return server;
}

/**
 * The files of a state as they are at this moment, as a program leaves them that is killed now, under
 * another name.
 */
export function asKilled(file: string): string {
  const copy = newStateFile();
  for (const end of ['', '.log']) {
    if (existsSync(file + end)) copyFileSync(file + end, copy + end);
  }
  return copy;
}
