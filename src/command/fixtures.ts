/* `fixtures`: writes and checks fixture files. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subcommand, Terminal } from '../node/command.ts';
import { FileError, fileProblem, UsageError } from '../node/errors.ts';
import { readFixtureFolder } from '../node/files.ts';
import { builtInFiles } from '../products/fixtures.ts';
import { readFixtures } from '../products/read-fixtures.ts';
import { PROGRAM, RUN } from '../sandbox/start-options.ts';
import { nearest, truncate } from '../world/problem-texts.ts';

const USAGE = 'fixtures init DIR | fixtures check DIR';

export const fixtures: Subcommand = {
  usage: 'init|check DIR',
  description:
    'Write or check fixture files.\n\n' +
    'init writes the built-in fixtures to DIR. It never overwrites a file. ' +
    'check lists every mistake in the files of DIR.',
  options: {},
  more: {
    Examples: [
      `${RUN} fixtures init my-fixtures`,
      `${RUN} fixtures check my-fixtures`,
      `${RUN} --fixtures my-fixtures`,
    ],
  },
  async run(given, terminal) {
    const [action, folder, unexpectedArg] = given.args;
    if (action !== undefined && action !== 'init' && action !== 'check') {
      const meant = nearest(action, ['init', 'check']);
      const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
      throw new UsageError(`Unknown action ${truncate(action)}.${hint} Usage: ${PROGRAM} ${USAGE}`);
    }
    // An empty DIR would mean the current folder.
    if (!folder || unexpectedArg !== undefined) {
      throw new UsageError(`Usage: ${PROGRAM} ${USAGE}`);
    }
    return action === 'init' ? init(folder, terminal) : check(folder, terminal);
  },
};

function init(folder: string, terminal: Terminal): number {
  const files = Object.keys(builtInFiles);
  const taken = files.map((name) => join(folder, name)).find((file) => existsSync(file));
  if (taken !== undefined) throw new FileError(taken, 'already exists; no files were written');
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(builtInFiles)) {
      writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
    }
  } catch (error) {
    throw new FileError(folder, fileProblem(error, 'written'));
  }
  terminal.out(`Wrote ${files.join(', ')} to ${folder}.\n`);
  terminal.out(`Edit them, then run: ${RUN} --fixtures ${folder}\n`);
  return 0;
}

function check(folder: string, terminal: Terminal): number {
  const files = readFixtureFolder(folder);
  readFixtures(files);
  const names = Object.keys(files);
  terminal.out(
    names.length === 0
      ? `No fixture files in ${folder}.\n`
      : `No mistakes in ${names.join(', ')}.\n`,
  );
  return 0;
}
