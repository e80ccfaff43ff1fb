import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { ChaosReport } from '../../src/node/index.ts';
import { Command, newFolder } from '../node/command.ts';
import { runHere } from '../support/terminal.ts';

const chaos = (...words: readonly string[]) =>
  runHere(['chaos', '--json', ...words], { PATH: process.env.PATH as string });

const example = (name: string) => [process.execPath, `examples/chaos/${name}.mjs`];

/** Appends the run and the number of calls so far to a file, and calls the list of motor policies `count` times. */
function listing(count: number, more = ''): { readonly command: string[]; readonly file: string } {
  const folder = newFolder();
  const file = join(folder, 'starts');
  const script = join(folder, 'listing.mjs');
  writeFileSync(
    script,
    `#!${process.execPath}
    import { appendFileSync, unlinkSync } from 'node:fs';
    const { SANDBOX_URL, SANDBOX_KEY, SANDBOX_RUN } = process.env;
    appendFileSync(${JSON.stringify(file)}, SANDBOX_RUN + '\\n');
    ${more}
    for (let n = 0; n < ${count}; n++) {
      await fetch(SANDBOX_URL + '/api/merchant/get_comprehensive_motor_policies', {
        headers: { Authorization: 'Bearer ' + SANDBOX_KEY },
      });
    }`,
    { mode: 0o755 },
  );
  return { command: [script], file };
}

const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];

describe('a program that is killed once its call is done, and started again', () => {
  test('buys twice if it only remembers in memory, and survives with a file', async () => {
    const outcomeOf = async (name: string): Promise<ChaosReport['runs'][number] | undefined> =>
      JSON.parse((await chaos('--only', 'verifyMotorPolicy:killed', '--', ...example(name))).out)
        .runs[0];
    expect(await outcomeOf('careful')).toMatchObject({
      outcome: 'bought twice',
      differences: expect.arrayContaining([
        { operation: 'verifyMotorPolicy', customer: 'Ada Obi', undisturbed: 1, bought: 2 },
      ]),
      calls: expect.arrayContaining([
        '    killed   the program got no response, and was started again',
      ]),
    });
    expect(await outcomeOf('steadfast')).toMatchObject({ outcome: 'survived', exit: 0 });
  });

  test('has the same name and URL of its run at each start', async () => {
    const { command, file } = listing(2);
    const { out, code } = await chaos('--only', 'listMotorPolicies#2:killed', '--', ...command);
    expect(code, out).toBe(0);
    const run = 'listMotorPolicies-2-killed';
    expect(linesOf(file)).toEqual(['undisturbed', run, run]);
  });

  test('is killed as often as --times says, at the next calls of the operation', async () => {
    const { command, file } = listing(4);
    await chaos('--only', 'listMotorPolicies#2:killed', '--times', '3', '--', ...command);
    // Two calls, then one at each start.
    expect(linesOf(file)).toHaveLength(5);
  });

  test('that cannot be started a second time is one line and exit 2', async () => {
    const { command } = listing(
      1,
      "if (SANDBOX_RUN !== 'undisturbed') unlinkSync(process.argv[1]);",
    );
    const { out, err, code } = await chaos('--only', 'killed', '--', ...command);
    expect({ out, code }).toEqual({ out: '', code: 2 });
    expect(err).toMatch(
      /listMotorPolicies#1:killed: the program was killed, and then .*listing\.mjs cannot be started: no such program\.\n$/,
    );
  });

  test('is not started again after Ctrl+C', async () => {
    const slowly =
      "if (SANDBOX_RUN !== 'undisturbed') await new Promise((go) => setTimeout(go, 100));";
    const { command, file } = listing(1, slowly);
    const words = ['chaos', '--only', 'killed', '--times', '1000', '--', ...command];
    const running = new Command(words);
    await vi.waitFor(() => expect(linesOf(file).length).toBeGreaterThan(3), { timeout: 30_000 });
    const { code, out } = await running.stop('SIGINT');
    expect({ code, out }).toEqual({ code: 130, out: '' });
    const starts = linesOf(file).length;
    expect(linesOf(file)).toHaveLength(starts);
  });
});
