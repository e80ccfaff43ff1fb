import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { addingTo, beginNotes, type LedgerNote, readNotes } from '../../src/tools/chaos/ledger.ts';
import { createRunObserver } from '../../src/tools/chaos/observer.ts';
import { commandProgram } from '../../src/tools/chaos/program.ts';
import { storiesOf } from '../../src/tools/chaos/stories.ts';
import { newFolder } from '../node/command.ts';

/** Runs a program of a few lines, with little patience. */
function runProgram(code: string, ending = new AbortController().signal, maxReadMs = 5000) {
  const words = [process.execPath, '-e', code];
  const patience = { graceMs: 50, maxReadMs };
  return commandProgram(
    words,
    { PATH: process.env.PATH },
    patience,
  )({
    url: 'http://127.0.0.1:9',
    key: 'sk_key',
    fetch,
    run: 'lost-1',
    folder: '/no/such/folder',
    ending,
  });
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A process that nobody has waited for is no longer running.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

/** Starts a child that never ends, and writes its number. */
const fork = (file: string, options: string) =>
  `const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], ${options});
  require('fs').writeFileSync(${JSON.stringify(file)}, String(child.pid)); child.unref();`;

describe('a program that ends badly', () => {
  test('with children in its group ends with them', async () => {
    const file = join(newFolder(), 'child');
    const { exit } = await runProgram(fork(file, "{ stdio: 'inherit' }"));
    expect(exit).toBe(0);
    await vi.waitFor(() => expect(isRunning(Number(readFileSync(file, 'utf8')))).toBe(false));
  });

  test('with a daemon that keeps its output open ends all the same', async () => {
    const file = join(newFolder(), 'child');
    const { exit, output } = await runProgram(
      `console.log('done'); ${fork(file, "{ detached: true, stdio: 'inherit' }")}`,
      new AbortController().signal,
      100,
    );
    expect({ exit, output }).toEqual({ exit: 0, output: 'done\n' });
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
  });

  test('and ignores SIGTERM is killed with its children', async () => {
    const file = join(newFolder(), 'child');
    const over = new AbortController();
    const running = runProgram(
      `process.on('SIGTERM', () => {}); ${fork(file, "{ stdio: 'inherit' }")} setInterval(() => {}, 1000);`,
      over.signal,
    );
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 10_000 });
    over.abort();
    expect(await running).toMatchObject({ exit: null });
    await vi.waitFor(() => expect(isRunning(Number(readFileSync(file, 'utf8')))).toBe(false));
  });

  test('and kills itself has the exit code that a shell shows', async () => {
    expect(await runProgram("process.kill(process.pid, 'SIGKILL')")).toMatchObject({ exit: 137 });
  });

  test('and closes its output, or prints many megabytes, is read to its end', async () => {
    expect(await runProgram('process.stdout.destroy(); process.exitCode = 3;')).toMatchObject({
      exit: 3,
    });
    const { output = '' } = await runProgram(
      "for (let i = 0; i < 5e4; i++) console.log('x'.repeat(20)); console.log('last');",
    );
    expect(output.length).toBeLessThan(200_000);
    expect(output).toMatch(/^… [\d,]+ characters not shown …\n[\s\S]*\nlast\n$/);
  });
});

describe('the notes of a run', () => {
  const world = (id: string, start = 0) =>
    ({
      kind: 'world',
      ...{ world: id, name: 'Ada', number: 0, merchant: 'Ada', key: 'sk_ada', start },
    }) as const;
  const call = (id: string, number: number) =>
    ({
      kind: 'call',
      world: id,
      operation: 'verifyMotorPolicy',
      call: number,
      isDisturbed: false,
    }) as const;

  test('are whole although a process was killed in the middle of one', () => {
    const folder = newFolder();
    beginNotes(folder);
    const add = addingTo(folder);
    add(world('a'));
    const { appendFileSync } = process.getBuiltinModule('fs');
    appendFileSync(join(folder, 'notes'), '\n{"kind":"call","wor');
    add(call('a', 1));
    expect(readNotes(folder)).toEqual([world('a'), call('a', 1)]);
  });

  test('tell a killed program that goes on with its World from one that has another', () => {
    const calls = [call('a', 1), call('b', 1)];
    expect(storiesOf([world('a'), world('b', 1), ...calls])).toMatchObject([
      { merchant: 'Ada', calls: [{}, {}] },
    ]);
    expect(storiesOf([world('a'), world('b'), ...calls])).toMatchObject([
      { merchant: 'Ada', calls: [{}] },
      { merchant: 'Ada', calls: [{}] },
    ]);
  });

  test('say of a merchant that is called while several tests run that it is of none', async () => {
    const notes: LedgerNote[] = [];
    const observer = createRunObserver({ start: 0 }, (note) => void notes.push(note));
    const shared = openSandbox({}, { observer }).sandbox.createMerchant({ name: 'shared' });
    const [one, two] = ['one', 'two'].map((title) =>
      observer.beginTest({ id: title, attempt: 0, title }),
    );
    await shared.call('listMotorPolicies');
    one?.end();
    // This may be a late call of the other test.
    await shared.call('listMotorPolicies');
    two?.end();
    expect(storiesOf(notes)).toMatchObject([
      { merchant: 'shared', calls: [{ call: 1 }, { call: 2 }], passed: undefined },
    ]);
  });

  test('cannot be written if the program empties its folder, and its calls are served all the same', async () => {
    vi.stubEnv('SANDBOX_CHAOS', join(newFolder(), 'gone'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const { createSandbox } = await import('../../src/index.ts');
    const merchant = createSandbox().createMerchant();
    expect((await merchant.call('listMotorPolicies')).status).toBe(200);
  });
});
