import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFailure } from '../../contract/client.ts';
import { CONTROL_PATH, DEMO_KEY } from '../../control/access.ts';
import { builtInFiles, type FixtureFiles, fileOf } from '../../products/fixtures.ts';
import { readFixtures } from '../../products/read-fixtures.ts';
import { anyFamilies } from '../../products/world.ts';
import { type Subcommand, type Terminal, webAddress } from '../command.ts';
import { FileError, UsageError } from '../errors.ts';
import { readFixtureFolder } from '../files.ts';
import { fixtureSchemas } from '../fixture-schemas.ts';
import { PROGRAM } from '../start-options.ts';

const USAGE = 'fixtures init DIR [--from URL] | fixtures check DIR';

export const fixtures: Subcommand = {
  usage: 'init|check DIR [--from URL]',
  description:
    'Write or check fixture files.\n\n' +
    'init writes the built-in fixtures to DIR, or the World of a running sandbox, with JSON schemas for your ' +
    'editor. It never overwrites a file. check lists every mistake in the files of DIR.',
  options: {
    Source: [
      [
        '--from <URL>',
        'init: a sandbox whose World to write; SANDBOX_KEY names the merchant',
        'the built-in fixtures',
      ],
    ],
  },
  more: {
    Examples: [
      `${PROGRAM} fixtures init my-fixtures`,
      `${PROGRAM} fixtures init my-fixtures --from http://127.0.0.1:4015`,
      `${PROGRAM} fixtures check my-fixtures`,
      `${PROGRAM} --fixtures my-fixtures`,
    ],
  },
  async run(given, terminal) {
    const [action, folder, unexpectedArg] = given.args;
    const from = webAddress(given, 'from');
    if (folder === undefined || unexpectedArg !== undefined)
      throw new UsageError(`Usage: ${PROGRAM} ${USAGE}`);
    if (action === 'init') {
      const files = from === undefined ? builtInFiles : await filesOf(from, terminal);
      return init(folder, files, terminal);
    }
    if (action !== 'check') {
      throw new UsageError(`Unknown action "${action}". Usage: ${PROGRAM} ${USAGE}`);
    }
    if (from !== undefined) throw new UsageError('--from works with fixtures init only.');
    return check(folder, terminal);
  },
};

/** What `fixtures init` needs of a snapshot. */
interface TakenWorld {
  readonly products: readonly unknown[];
  readonly families: Readonly<Record<string, { readonly records: object }>>;
}

/**
 * The World of a key as fixture files: its catalogue, its prices, and its records as those of the demo merchant. Pending
 * purchases, the clock and faults are not part of fixtures.
 */
async function filesOf(url: string, { environment }: Terminal): Promise<FixtureFiles> {
  const key = environment.SANDBOX_KEY || DEMO_KEY;
  const { products, families } = await readWorld(url, key);
  const records = anyFamilies.map((family) => {
    const own = families[family.key]?.records;
    return [fileOf(family), own && family.assignMerchant(own, 1)];
  });
  return {
    ...builtInFiles,
    'products.json': { products },
    ...Object.fromEntries(records),
  };
}

async function readWorld(url: string, key: string): Promise<TakenWorld> {
  const refuse = (why: string): never => {
    throw new UsageError(`--from ${url}: ${why}`);
  };
  const headers = { authorization: `Bearer ${key}` };
  const snapshot = `${url.replace(/(?<!\/)\/+$/, '')}${CONTROL_PATH}/snapshot`;
  const response = await fetch(snapshot, { headers }).catch((error) =>
    refuse(describeFailure(error)),
  );
  if (response.status === 401) {
    return refuse('no merchant has this key. Set SANDBOX_KEY to the key of a merchant.');
  }
  const body = await response.json().catch(() => undefined);
  const world = body?.version === 1 ? (body.world as TakenWorld) : undefined;
  if (!response.ok || !world?.families || !Array.isArray(world.products)) {
    return refuse('this is not a sandbox of this version.');
  }
  return world;
}

function init(folder: string, contents: FixtureFiles, terminal: Terminal): number {
  // What is written can be read again.
  readFixtures(contents);
  const schemas = fixtureSchemas();
  const files: Record<string, object> = {};
  for (const [name, content] of Object.entries(contents)) {
    const schema = name.replace('.json', '.schema.json');
    files[join(folder, name)] = { $schema: `./schemas/${schema}`, ...(content as object) };
    files[join(folder, 'schemas', schema)] = schemas[schema] as object;
  }
  const taken = Object.keys(files).find((file) => existsSync(file));
  if (taken !== undefined) throw new FileError(taken, 'already exists; no files were written');
  try {
    mkdirSync(join(folder, 'schemas'), { recursive: true });
    for (const [file, content] of Object.entries(files)) {
      writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
    }
  } catch (error) {
    throw new FileError(folder, `could not be written: ${(error as Error).message}`);
  }
  terminal.out(`Wrote ${Object.keys(contents).join(', ')} to ${folder}.\n`);
  terminal.out(`Edit them, then run: ${PROGRAM} --fixtures ${folder}\n`);
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
