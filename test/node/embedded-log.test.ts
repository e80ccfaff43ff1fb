import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

/** A program that serves a sandbox with a log, makes calls, and ends when nothing is left to do. */
const PROGRAM = `
import { startSandbox } from './dist/node.js';
const { log, calls } = JSON.parse(process.argv[1]);
const server = await startSandbox({ port: 0, log });
process.stderr.write('serving\\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdin.destroy();
for (let call = 0; call < calls; call++) {
  const response = await fetch(server.url + '/api/merchant/comprehensive_motor_policies');
  if (response.status !== 401) throw new Error('answered ' + response.status);
}
await server.close();
const left = process.stdout.listenerCount('error');
process.stderr.write('closed, ' + left + ' listeners left\\n');
`;

interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

async function run(
  settings: { readonly log?: string; readonly calls: number },
  isRead = true,
): Promise<Ended> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', PROGRAM, JSON.stringify(settings)],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  await once(child.stderr, 'data');
  if (!isRead) {
    child.stdout.destroy();
    await once(child.stdout, 'close');
  }
  child.stdin.write('go');
  const [code] = await once(child, 'close');
  return { out, err, code };
}

test('a sandbox in another program logs nothing unless it is told to', async () => {
  const { out, code } = await run({ calls: 1 });
  expect([out, code]).toEqual(['', 0]);
});

test('a sandbox that is told to writes its lines to standard output, without colours in a pipe', async () => {
  const { out, code } = await run({ log: 'calls', calls: 2 });
  const line =
    /^\d\d:\d\d:\d\d GET \/api\/merchant\/comprehensive_motor_policies 401 \d+(\.\d)? ms {2}- {2}Unauthenticated\.$/;
  const lines = out.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  for (const each of lines) expect(each).toMatch(line);
  expect(code).toBe(0);
});

test('a pipe that is closed ends the log, and neither the sandbox nor its program', async () => {
  const { err, code } = await run({ log: 'bodies', calls: 20 }, false);
  expect(err).toBe('serving\nclosed, 0 listeners left\n');
  expect(code).toBe(0);
});
