/* `fixtures`: writes and checks fixture files. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from '@hono/zod-openapi';
import { ControlCallError, createControlClient } from '../../kit/control-client.ts';
import { NetworkError } from '../../kit/receive.ts';
import { fixtureSchemas } from '../../openapi/fixture-schemas.ts';
import { FixtureError } from '../../products/fixture-error.ts';
import { builtInFiles, type FixtureContents, fileOf } from '../../products/fixtures.ts';
import { readFixtures } from '../../products/read-fixtures.ts';
import { anyFamilies } from '../../products/world.ts';
import { PROGRAM, RUN } from '../../start-options.ts';
import { createPriceListSchema } from '../../storage/rows.ts';
import { SNAPSHOT_VERSION } from '../../storage/snapshot.ts';
import { createClient } from '../../tools/check/client.ts';
import { systemNow, wait } from '../../world/clock.ts';
import { truncate } from '../../world/problem-texts.ts';
import {
  merchantKey,
  named,
  positive,
  type Subcommand,
  sandboxAddress,
  type Terminal,
} from '../command.ts';
import { FileError, UsageError } from '../errors.ts';
import { readFixtureFolder } from '../files.ts';

const USAGE = 'fixtures init DIR [--from URL] | fixtures check DIR';

const DEFAULT_TIMEOUT_S = 10;
/** The size limit of a snapshot. */
const MAX_BYTES = 64 * 1024 * 1024;

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
      ['--timeout <S>', 'seconds to wait for its World', `${DEFAULT_TIMEOUT_S}`],
    ],
  },
  more: {
    Examples: [
      `${RUN} fixtures init my-fixtures`,
      `${RUN} fixtures init my-fixtures \\`,
      '  --from http://127.0.0.1:4015',
      `${RUN} fixtures check my-fixtures`,
      `${RUN} --fixtures my-fixtures`,
    ],
  },
  async run(given, terminal) {
    const [action, folder, unexpectedArg] = given.args;
    const from = sandboxAddress(given, 'from');
    const timeout = positive(given, 'timeout');
    // An empty DIR would mean the current folder.
    if (!folder || unexpectedArg !== undefined) {
      throw new UsageError(`Usage: ${PROGRAM} ${USAGE}`);
    }
    if (action !== 'init' && action !== 'check') {
      throw new UsageError(`Unknown action ${truncate(action)}. Usage: ${PROGRAM} ${USAGE}`);
    }
    if (from === undefined && timeout !== undefined) {
      throw new UsageError('--timeout works with --from only.');
    }
    if (action === 'init') {
      const files = from === undefined ? builtInFiles : await filesOf(from, timeout, terminal);
      return init(folder, files, terminal);
    }
    if (from !== undefined) throw new UsageError('--from works with fixtures init only.');
    return check(folder, terminal);
  },
};

/** What `fixtures init` reads of a snapshot: the price list, and the policies of all families of this version. */
const createSnapshotSchema = () =>
  z.object({
    version: z.literal(SNAPSHOT_VERSION),
    world: z.object({
      values: z.object({ price_list: createPriceListSchema() }),
      ...Object.fromEntries(
        anyFamilies.map(({ key, records, policyList }) => [
          `${key}.${policyList}`,
          records.shape[policyList] as z.ZodType,
        ]),
      ),
    }),
  });
type ReadSnapshot = z.output<ReturnType<typeof createSnapshotSchema>>;

/**
 * The World of a key as fixture files: its catalogue, its prices, and its records as those of the demo merchant. Pending
 * purchases, the clock and faults are not part of fixtures.
 */
async function filesOf(
  url: string,
  timeout: number | undefined,
  { environment }: Terminal,
): Promise<FixtureContents> {
  const { world } = await readSnapshot(url, merchantKey(environment), timeout);
  const { products, records } = world.values.price_list;
  const files = {
    ...builtInFiles,
    'products.json': { products },
    ...Object.fromEntries(
      anyFamilies.map((family) => {
        const { key, policyList } = family;
        const own = { ...records[key], [policyList]: Reflect.get(world, `${key}.${policyList}`) };
        return [fileOf(family), family.assignMerchant(own, 1)];
      }),
    ),
  };
  try {
    // What is written can be read again.
    readFixtures(files);
  } catch (error) {
    throw error instanceof FixtureError ? named(error, `--from ${url}`) : error;
  }
  return files;
}

async function readSnapshot(
  url: string,
  key: string,
  timeout = DEFAULT_TIMEOUT_S,
): Promise<ReadSnapshot> {
  const refuse = (why: string): never => {
    throw new UsageError(`--from ${url}: ${why}`);
  };
  const limits = { timeout: timeout * 1000, maxBytes: MAX_BYTES };
  const send = createClient(fetch, { now: systemNow, wait }, limits, (value) => value);
  const control = createControlClient({ url, send, token: key });
  const taken = await control('GET /_sandbox/snapshot').catch((error: unknown) => {
    if (!(error instanceof ControlCallError)) throw error;
    if (error.cause instanceof NetworkError) return refuse(`${error.cause.message}.`);
    if (error.status !== 401) return undefined;
    return refuse('no merchant has this key. Set SANDBOX_KEY to the key of a merchant.');
  });
  const snapshot = createSnapshotSchema().safeParse(taken);
  return snapshot.success ? snapshot.data : refuse('this is not a sandbox of this version.');
}

function init(folder: string, contents: FixtureContents, terminal: Terminal): number {
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
