/* `chaos`: disturbs a program, and reports which failures it survives. */

import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { EXAMPLE } from '../../control/fields.ts';
import {
  isOn,
  oneOf,
  positive,
  progressLine,
  type Subcommand,
  tell,
  text,
  wholeNumber,
  writableFile,
} from '../../node/command.ts';
import { UsageError } from '../../node/errors.ts';
import { writeWhole } from '../../node/files.ts';
import { namedAsGiven, sandboxOptions } from '../../node/sandbox-options.ts';
import { type OptionGroups, RUN, SANDBOX_OPTIONS } from '../../sandbox/start-options.ts';
import { shellWord } from '../../world/printable.ts';
import { DEFAULT_SLOW_MS, FAILURES } from './failures.ts';
import { CALL_CHOICES, type Disturbance, nameOf, parseSelected } from './selection.ts';

/** The exit code of programs that Ctrl+C ended. */
const STOPPED = 130;

const RUN_OPTIONS: OptionGroups[string] = [
  [
    '--only <RUN[,RUN]>',
    `runs to do, such as ${EXAMPLE.verify}#2:lost, ${EXAMPLE.verify} or lost`,
    'all',
  ],
  [
    '--calls <first|all>',
    'calls to disturb: the first of each operation, or all',
    'every call that changes something, and the first of others',
  ],
  ['--times <N>', 'how many calls of the operation in a row fail', '1'],
  ['--jobs <N>', 'number of runs side by side', 'number of cores'],
  [
    '--timeout <S>',
    'seconds each start of the program may take',
    '10 times the undisturbed run, at least 30',
  ],
  ['--slow <MS>', 'delay of the failure slow, in milliseconds', `${DEFAULT_SLOW_MS}`],
];

const OPTIONS: OptionGroups = {
  Runs: RUN_OPTIONS,
  ...SANDBOX_OPTIONS,
  Report: [
    ['--strict', 'exit with code 1 also if a failure was noticed'],
    ['--json', 'print the report as JSON'],
    ['--report <FILE>', 'also write the report as JSON to a file'],
    ['--verbose', 'print the output of every run, not only of those that did not survive'],
  ],
};

export const chaos: Subcommand = {
  usage: '[flags] -- COMMAND…',
  description:
    'Find out which failures a program survives.\n\n' +
    'The program is run once undisturbed, then again with failures: each run disturbs one call of every merchant. Every run has a sandbox for itself, with its URL in SANDBOX_URL and a key in SANDBOX_KEY; a program in Node may also bring its own. SANDBOX_RUN is a name that no other run has. Each merchant is judged by what was bought, and by its test with a kit, else by the exit code.',
  options: OPTIONS,
  more: {
    'Failures, and what happens to the call': FAILURES.map(
      ([failure, , , description]) => `${failure.padEnd(8)} ${description}`,
    ),
    Outcomes: [
      'survived       passed, and bought the same as undisturbed',
      'noticed        failed, and bought nothing more often',
      'bought twice   bought something more often',
      'false success  passed, and bought less',
      'hung           did not end in time',
      'did not come   the run did not reach the merchant or the call',
    ],
    'Exit codes': [
      '0    every failure was survived or noticed',
      '1    bought twice, false success, hung or did not come (--strict: or noticed)',
      '2    invalid option, or nothing could be judged: one line says why',
      '130  stopped; the report has what was done',
    ],
    Examples: [`${RUN} chaos -- npm test`, `${RUN} chaos --only lost,cut -- npm test`],
  },
  async run(given, terminal) {
    const command = given.args;
    if (!command[0]) {
      throw new UsageError(`chaos needs a command: ${RUN} chaos -- npm test`);
    }
    const { runChaos } = await import('./index.ts');
    const { exitOf, isBad } = await import('./text.ts');
    const { attemptWith } = await import('./attempt.ts');
    const { commandProgram } = await import('./program.ts');
    const only = text(given, 'only')?.split(',') ?? [];
    const timeout = positive(given, 'timeout');
    const plan = {
      only: only.map((each) => parseSelected(each.trim(), '--only')),
      calls: oneOf(given, 'calls', CALL_CHOICES),
      times: wholeNumber(given, 'times', { byDefault: 1, min: 1, max: 1000 }),
      jobs: wholeNumber(given, 'jobs', { byDefault: availableParallelism(), min: 1, max: 1000 }),
      timeoutMs: timeout && timeout * 1000,
      slowMs: wholeNumber(given, 'slow', { byDefault: DEFAULT_SLOW_MS, max: 600_000 }),
    };
    const file = writableFile(given, 'report');
    const options = sandboxOptions(given);
    const stop = new AbortController();
    void terminal.stopped().then(() => stop.abort());
    const progress = isOn(given, 'json') ? undefined : progressLine(terminal);
    progress?.show('the undisturbed run');
    const report = await runChaos({
      ...plan,
      advice: ADVICE,
      repeat: (runs) => repeating(runs, given),
      stop: stop.signal,
      attempt: attemptWith(commandProgram(command, terminal.environment), options, stop.signal),
      onProgress: (done, all) => progress?.show(`${done} of ${all}`),
      onEnded({ name }, { exit, output = '' }, runs) {
        const isQuiet = exit === 0 && !runs?.some(({ outcome }) => isBad(outcome));
        if (output === '' || (isQuiet && !isOn(given, 'verbose'))) return;
        progress?.clear();
        terminal.err(prefixed(name, output));
      },
    })
      .catch((error) => {
        if (stop.signal.aborted) return undefined;
        throw namedAsGiven(error, given);
      })
      .finally(() => progress?.clear());
    if (!report) {
      tell(terminal, 'Stopped in the undisturbed run.');
      return STOPPED;
    }
    const json = `${JSON.stringify(report, null, 2)}\n`;
    terminal.out(isOn(given, 'json') ? json : report.toString(terminal.colours));
    if (file !== undefined) writeWhole(file, json);
    if (stop.signal.aborted) return STOPPED;
    return exitOf(report.runs, isOn(given, 'strict'));
  },
};

/** What to do about a program that calls nothing. */
const ADVICE =
  'Let the program take the URL from SANDBOX_URL and the key from SANDBOX_KEY, or create its own sandbox in Node, with createSandbox or startSandbox of this version; with --auto-merchants, it may make up its keys.';

/** The output of a run, with its name before each line. */
const prefixed = (name: string, output: string): string =>
  output
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((line) => `${name} | ${line}\n`)
    .join('');

/** The options that say which runs there are. */
const NOT_REPEATED = new Set(['only', 'calls', 'jobs']);

/** The command line that repeats these runs alone. */
function repeating(runs: readonly Disturbance[], given: Command): string {
  const rows = [...RUN_OPTIONS, ...Object.values(SANDBOX_OPTIONS).flat()];
  const options = rows.flatMap(([flags]) => {
    const [flag = '', takesValue] = flags.split(' ');
    const name = flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    if (given.getOptionValueSource(name) !== 'cli' || NOT_REPEATED.has(name)) return [];
    return takesValue ? [flag, text(given, name) as string] : [flag];
  });
  const words = ['chaos', ...options, '--only', runs.map(nameOf).join(','), '--', ...given.args];
  return [RUN, ...words.map(shellWord)].join(' ');
}
