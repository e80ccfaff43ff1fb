/* `show`: opens a saved snapshot in a sandbox of its own, with the inspector at the call that went wrong. */

import { basename } from 'node:path';
import { CONTROL_PATH } from '../control/access.ts';
import { ControlError } from '../control/control-error.ts';
import { MAX_SNAPSHOT_BYTES } from '../control/snapshot.ts';
import { isOn, port, type Subcommand, tell } from '../node/command.ts';
import { FileError, UsageError } from '../node/errors.ts';
import { beginningOf, readJsonFile } from '../node/files.ts';
import { fileOf } from '../products/fixtures.ts';
import { anyFamilies } from '../products/world.ts';
import { sandboxOf } from '../sandbox/open-sandbox.ts';
import { PROGRAM, RUN } from '../sandbox/start-options.ts';
import { startServer } from '../tools/serve.ts';
import type { JournalEntry, Merchant, Snapshot } from '../types/public.ts';
import { bold } from '../world/colours.ts';
import { isLost } from '../world/faults.ts';
import { printable } from '../world/printable.ts';
import { isPlainObject } from '../world/problem-texts.ts';

const KEY = 'sk_sandbox_show';
/** How many calls are printed. */
const SHOWN_CALLS = 10;

export const show: Subcommand = {
  usage: 'FILE [flags]',
  description:
    'Open a saved snapshot, such as one that a failed test left.\n\n' +
    'Starts a sandbox whose one merchant has that World, with its clock frozen at the moment of saving. Prints the last calls, and opens the inspector at the first one that was lost or, if none was, refused. FILE is only read.',
  options: {
    Server: [
      ['-p, --port <N>', 'port to listen on', 'a free one'],
      ['--no-open', 'do not open the inspector in the default browser'],
    ],
  },
  more: {
    'Exit codes': [
      '0  stopped',
      '1  the port is taken',
      '2  invalid option, or FILE is no snapshot',
    ],
    Examples: [`${RUN} show sandbox-failures/checkout.json`],
  },
  async run(given, terminal) {
    const [file, second] = given.args;
    if (file === undefined || second !== undefined) {
      throw new UsageError(`show takes one file: ${RUN} show sandbox-failures/checkout.json`);
    }
    const snapshot = readSnapshot(file);
    const warn = (message: string) => tell(terminal, message);
    const server = await startServer(
      {
        port: port(given, 0),
        clock: 'frozen',
        fixtures: merchantFixtures(snapshot, file),
      },
      { warn },
    );
    try {
      const merchant = sandboxOf(server.core).merchant(KEY);
      restore(merchant, snapshot, file);
      const stopped = terminal.stopped();
      const inspector = `${server.url}${CONTROL_PATH}${queryOf(merchant)}`;
      const { colours } = terminal;
      terminal.out(`${testLines(snapshot, colours)}${bold(printable(file), colours)} at ${merchant.clock.show().now}

${merchant.journal.text({ limit: SHOWN_CALLS })}
${bold(server.url, colours)}  with the key ${KEY}
inspector  ${inspector}

Ctrl+C stops the sandbox. The file stays as it is.
`);
      if (isOn(given, 'open')) await (await import('../node/browser.ts')).openBrowser(inspector);
      await stopped;
    } finally {
      await server.close();
    }
    return 0;
  },
};

/** The first line of a state file, which tells it from a snapshot, is shorter. */
const MAX_HEADER_BYTES = 256;

/** Throws `FileError` for a file that is no snapshot. */
function readSnapshot(file: string): Snapshot {
  if (beginningOf(file, MAX_HEADER_BYTES).includes(`"state":"${PROGRAM}"`)) {
    throw new FileError(file, `is a state file, no snapshot; start a sandbox with --state ${file}`);
  }
  const content = readJsonFile(file, MAX_SNAPSHOT_BYTES);
  if (isPlainObject(content) && 'version' in content && isPlainObject(content.world)) {
    return content as unknown as Snapshot;
  }
  throw new FileError(file, 'is no snapshot: it is not a JSON object with version and world');
}

const textIn = (from: object, name: string): string | undefined => {
  const value: unknown = Reflect.get(from, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** What a test kit says of the test that left a snapshot: its name, its place and its error, each on a line. */
function testLines(snapshot: Snapshot, colours: boolean): string {
  const test: unknown = Reflect.get(snapshot, 'test');
  if (!isPlainObject(test)) return '';
  const [name, file, error] = ['name', 'file', 'error'].map((part) => textIn(test, part));
  const { attempt, line } = test;
  const title = name && (Number(attempt) > 1 ? `${name}, attempt ${Number(attempt)}` : name);
  const place = file && (Number(line) > 0 ? `${file}:${Number(line)}` : file);
  const lines = [
    title && bold(printable(title), colours),
    place && printable(place),
    error && printable(error),
  ];
  return lines.flatMap((each) => (each ? `${each}\n` : [])).join('');
}

/** The one merchant, with the id that the calls of the snapshot have, and nothing else. */
function merchantFixtures(snapshot: Snapshot, file: string): Record<string, unknown> {
  const { world } = snapshot;
  const test: unknown = Reflect.get(snapshot, 'test');
  const savedName = isPlainObject(test) ? textIn(test, 'merchant') : undefined;
  const values = Reflect.get(world, 'values') as unknown;
  const id: unknown = isPlainObject(values) ? values.merchant_id : undefined;
  const name = savedName ?? (basename(file).replace(/\.json$/, '') || file);
  const merchant = { id: Number.isSafeInteger(id) && Number(id) > 0 ? id : 1, name, api_key: KEY };
  const noPolicies = anyFamilies.map((family) => [fileOf(family), { policies: [] }]);
  return { 'merchants.json': { merchants: [merchant] }, ...Object.fromEntries(noPolicies) };
}

/** Throws `FileError` for a snapshot of another version, or a broken one. */
function restore(merchant: Merchant, snapshot: Snapshot, file: string): void {
  try {
    merchant.restore(withStandingClock(snapshot));
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    throw new FileError(file, `cannot be opened: ${error.problem.detail}`);
  }
}

/** The same snapshot with a frozen clock: a running one would go on before it could be stopped. */
function withStandingClock({ version, world }: Snapshot): unknown {
  const values: unknown = Reflect.get(world, 'values');
  const clock: unknown = isPlainObject(values) && Reflect.get(values, 'clock');
  if (!isPlainObject(values) || !isPlainObject(clock)) return { version, world };
  return {
    version,
    world: { ...world, values: { ...values, clock: { ...clock, mode: 'frozen' } } },
  };
}

/** Opens the call where the story broke: the first that was lost, else the first that was refused, else the newest. */
function queryOf(merchant: Merchant): string {
  const newestFirst = merchant.journal.list();
  const oldestFirst = newestFirst.toReversed();
  const isRefused = ({ problems, status }: JournalEntry) =>
    problems.length > 0 || (status !== null && status >= 400);
  const call = oldestFirst.find(isLost) ?? oldestFirst.find(isRefused) ?? newestFirst[0];
  return call === undefined ? '' : `?call=${encodeURIComponent(call.id)}&merchant=${merchant.id}`;
}
