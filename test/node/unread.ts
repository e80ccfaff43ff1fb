import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { urlIn } from './command.ts';

/** A command whose output nobody reads after its greeting. */
export async function startUnread(command: readonly [string, ...string[]]) {
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  let said = '';
  while (!said.includes('Ctrl+C')) said += (await once(child.stdout, 'data'))[0];
  child.stdout.pause();
  return { child, url: urlIn(said), errors: () => err };
}

/** Makes so many calls that as many lines with their long addresses fill more than any pipe and 1 MiB. */
export async function fill(url: string, calls = 600): Promise<void> {
  for (let call = 0; call < calls; call++) {
    const { status } = await fetch(`${url}/livez${'/x'.repeat(2000)}`);
    expect(status).toBe(401);
  }
}

export async function stopped(child: ChildProcess): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  return (await exited)[0];
}
