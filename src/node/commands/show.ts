/* `show`: opens a saved snapshot in a sandbox of its own, with the inspector at the call that went wrong. */

import { basename } from 'node:path';
import { CONTROL_PATH } from '../../control/access.ts';
import { ControlError } from '../../control/control-error.ts';
import { sandboxOf } from '../../open-sandbox.ts';
import { fileOf } from '../../products/fixtures.ts';
import { anyFamilies } from '../../products/world.ts';
import type { JournalEntry, Merchant, Snapshot } from '../../public.ts';
import { RUN } from '../../start-options.ts';
import { bold } from '../../world/colours.ts';
import { printable } from '../../world/printable.ts';
import { isPlainObject } from '../../world/problem-texts.ts';
import { isOn, port, type Subcommand, tell } from '../command.ts';
import { FileError, UsageError } from '../errors.ts';
import { isStateFile, readJsonFile } from '../files.ts';
import { startServer } from '../serve.ts';

const KEY = 'sk_sandbox_show';
/** How many calls are printed. */
const SHOWN_CALLS = 10;

export const show: Subcommand = {
  usage: 'FILE [flags]',
  description:
    'Open a saved snapshot, such as one that a failed test left.\n\n' +
    'Starts a sandbox whose one merchant has that World, with its clock frozen at the moment of saving. Prints the last calls, and opens the inspector at the last one that was refused, lost or hit by a fault. FILE is only read.',
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
      { quietMs: 250, warn },
    );
    try {
      const merchant = sandboxOf(server.core).merchant(KEY);
      restore(merchant, snapshot, file);
      const stopped = terminal.stopped();
      const inspector = `${server.url}${CONTROL_PATH}${queryOf(merchant)}`;
      const { colours } = terminal;
      terminal.out(`${bold(printable(file), colours)} at ${merchant.clock.show().now}

${merchant.journal.text({ limit: SHOWN_CALLS })}
${bold(server.url, colours)}  with the key ${KEY}
inspector  ${inspector}

Ctrl+C stops the sandbox. The file stays as it is.
`);
      if (isOn(given, 'open')) await (await import('../browser.ts')).openBrowser(inspector);
      await stopped;
    } finally {
      await server.close();
    }
    return 0;
  },
};

/** Throws `FileError` for a file that is no snapshot. */
function readSnapshot(file: string): Snapshot {
  if (isStateFile(file)) {
    throw new FileError(file, `is a state file, no snapshot; start a sandbox with --state ${file}`);
  }
  const content = readJsonFile(file);
  if (isPlainObject(content) && 'version' in content && isPlainObject(content.world)) {
    return content as unknown as Snapshot;
  }
  throw new FileError(file, 'is no snapshot: it is not a JSON object with version and world');
}

/** The one merchant, with the id that the calls of the snapshot have, and nothing else. */
function merchantFixtures({ world }: Snapshot, file: string): Record<string, unknown> {
  const values = Reflect.get(world, 'values') as unknown;
  const id: unknown = isPlainObject(values) ? values.merchant_id : undefined;
  const name = basename(file).replace(/\.json$/, '') || file;
  const merchant = { id: Number.isSafeInteger(id) && Number(id) > 0 ? id : 1, name, api_key: KEY };
  const noPolicies = anyFamilies.map((family) => [fileOf(family), { [family.policyList]: [] }]);
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

/** Opens the last call that was refused, lost or hit by a fault; without one, the last call. */
function queryOf(merchant: Merchant): string {
  const entries = merchant.journal.list();
  const isTelling = ({ problems, status, fault }: JournalEntry) =>
    problems.length > 0 || status === null || fault !== null;
  const call = entries.find(isTelling) ?? entries[0];
  return call === undefined ? '' : `?call=${encodeURIComponent(call.id)}&merchant=${merchant.id}`;
}
