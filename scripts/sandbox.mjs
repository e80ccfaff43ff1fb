/* A sandbox for a script, on a free port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Starts the command. Returns its URL, the demo merchant's key, and a function to stop it. */
export async function startCommand() {
  const command = spawn(
    process.execPath,
    ['bin/micro-insurance-sandbox.cjs', '--port', '0', '--json'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = await once(createInterface({ input: command.stdout }), 'line');
  const { url, key } = JSON.parse(line);
  return { url, key, stop: () => command.kill() };
}
