import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInFiles, readFixtures } from '../../products/fixtures.ts';
import type { Command, Terminal } from '../command.ts';
import { FileError, readFixtureFolder } from '../files.ts';
import { type FlagGroup, readCommandLine, UsageError } from '../flags.ts';
import { PROGRAM } from '../help.ts';

const FLAGS: readonly FlagGroup[] = [];
const USAGE = 'fixtures init DIR | fixtures check DIR';

export const fixtures: Command = {
  summary: 'write the fixture files to change them, or check those you have',
  usage: USAGE,
  description:
    'init writes the built-in files into DIR, with schemas that let an editor complete them; it overwrites nothing.\n' +
    'check says what is wrong in the files of DIR, a line for each mistake.',
  flagGroups: FLAGS,
  examples: [
    `${PROGRAM} fixtures init my-fixtures`,
    `${PROGRAM} fixtures check my-fixtures`,
    `${PROGRAM} --fixtures my-fixtures`,
  ],
  async run(args, terminal) {
    const { positionals } = readCommandLine(FLAGS, args, terminal.environment);
    const [action, folder, unexpectedArg] = positionals;
    if (folder === undefined || unexpectedArg !== undefined)
      throw new UsageError(`Write ${USAGE}.`);
    if (action === 'init') return init(folder, terminal);
    if (action === 'check') return check(folder, terminal);
    throw new UsageError(`There is no fixtures "${action}"; write ${USAGE}.`);
  },
};

async function init(folder: string, terminal: Terminal): Promise<number> {
  const { fixtureSchemas } = await import('../fixture-schemas.ts');
  const schemas = fixtureSchemas();
  const files: Record<string, object> = {};
  for (const [name, content] of Object.entries(builtInFiles)) {
    const schema = name.replace('.json', '.schema.json');
    files[join(folder, name)] = { $schema: `./schemas/${schema}`, ...(content as object) };
    files[join(folder, 'schemas', schema)] = schemas[schema] as object;
  }
  const taken = Object.keys(files).find((file) => existsSync(file));
  if (taken !== undefined) throw new FileError(taken, 'is there already; nothing was written');
  try {
    mkdirSync(join(folder, 'schemas'), { recursive: true });
    for (const [file, content] of Object.entries(files)) {
      writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
    }
  } catch (error) {
    throw new FileError(folder, `can't be written: ${(error as Error).message}`);
  }
  terminal.out(`Wrote ${Object.keys(builtInFiles).join(', ')} into ${folder}.\n`);
  terminal.out(`Change them, then: ${PROGRAM} --fixtures ${folder}\n`);
  return 0;
}

function check(folder: string, terminal: Terminal): number {
  const files = readFixtureFolder(folder);
  readFixtures(files);
  const names = Object.keys(files);
  terminal.out(
    `${names.length === 0 ? `No fixture files in ${folder}` : names.join(', ')}: fine.\n`,
  );
  return 0;
}
