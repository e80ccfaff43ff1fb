/* `chaos`: disturbs a program, and reports which failures it survives. */

import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { EXAMPLE } from '../../control/fields.ts';
import { type OptionGroups, PROGRAM, SANDBOX_OPTIONS } from '../../start-options.ts';
import { DEFAULT_SLOW_MS, FAILURES, parseSelected } from '../../tools/chaos/failures.ts';
import type { Progress } from '../../tools/chaos/index.ts';
import type { ChaosRun, Outcome } from '../../tools/chaos/public.ts';
import {
  isOn,
  positive,
  progressLine,
  type Subcommand,
  tell,
  text,
  wholeNumber,
  writableFile,
} from '../command.ts';
import { UsageError } from '../errors.ts';
import { writeWhole } from '../files.ts';
import { namedAsGiven, sandboxOptions } from '../sandbox-options.ts';

/** The exit code of programs that Ctrl+C ended. */
const STOPPED = 130;

const RUN_OPTIONS: OptionGroups[string] = [
  ['--only <LIST>', `runs to do, such as ${EXAMPLE.verify}:lost, ${EXAMPLE.verify} or lost`, 'all'],
  ['--jobs <N>', 'number of runs side by side', 'number of cores'],
  ['--timeout <S>', 'seconds a run may take', '10 times the undisturbed run, at least 30'],
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
    'The program is run once undisturbed. Then it is run again for each operation it called and each failure, with that failure on the first such call. Every run has a sandbox for itself, with its URL in SANDBOX_URL and a key in SANDBOX_KEY. The sandbox judges each run by what was bought.',
  options: OPTIONS,
  more: {
    'Failures, and what the service does': FAILURES.map(
      ({ failure, description }) => `${failure.padEnd(8)} ${description}`,
    ),
    Outcomes: [
      'survived       exit 0, and bought the same as the undisturbed run',
      'noticed        another exit, and bought nothing more often',
      'bought twice   bought something more often',
      'false success  exit 0, and bought less',
      'hung           did not end in time',
    ],
    'Exit codes': [
      '0    every failure was survived or noticed',
      '1    bought twice, false success or hung; with --strict also noticed',
      '2    invalid option, or the undisturbed run failed or called nothing',
      '130  stopped with Ctrl+C',
    ],
    Examples: [`${PROGRAM} chaos -- npm test`, `${PROGRAM} chaos --only lost,cut -- npm test`],
  },
  async run(given, terminal) {
    const command = given.args;
    if (!command[0]) {
      throw new UsageError(`chaos needs a command: ${PROGRAM} chaos -- npm test`);
    }
    const { runChaos } = await import('../../tools/chaos/index.ts');
    const { isBad, toText } = await import('../../tools/chaos/text.ts');
    const { attemptWith } = await import('../chaos/attempt.ts');
    const { commandProgram } = await import('../chaos/command.ts');
    const only = text(given, 'only')?.split(',') ?? [];
    const timeout = positive(given, 'timeout');
    const plan = {
      only: only.map((each) => parseSelected(each.trim(), '--only')),
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
      names: { url: 'SANDBOX_URL', key: 'SANDBOX_KEY' },
      attempt: attemptWith(commandProgram(command, terminal.environment), options, stop.signal),
      onProgress: (now) => progress?.show(progressText(now)),
      onEnded({ name }, { exit, output = '' }, outcome) {
        const isQuiet = outcome === undefined ? exit === 0 : outcome === 'survived';
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
      tell(terminal, 'Stopped. Every run has ended.');
      return STOPPED;
    }
    const json = `${JSON.stringify(report, null, 2)}\n`;
    terminal.out(isOn(given, 'json') ? json : toText(report, (run) => repeating(run, given)));
    if (file !== undefined) writeWhole(file, json);
    const isWrong = (outcome: Outcome) =>
      isBad(outcome) || (outcome === 'noticed' && isOn(given, 'strict'));
    return report.runs.some(({ outcome }) => isWrong(outcome)) ? 1 : 0;
  },
};

/** `18 runs done, 2 running, 55 left: 15 survived, 3 bought twice` */
function progressText({ done, running, left, found }: Progress): string {
  const outcomes = Object.entries(found).map(([outcome, count]) => `${count} ${outcome}`);
  const far = `${done} ${done === 1 ? 'run' : 'runs'} done, ${running} running, ${left} left`;
  return outcomes.length === 0 ? far : `${far}: ${outcomes.join(', ')}`;
}

/** The output of a run, with its name before each line. */
const prefixed = (name: string, output: string): string =>
  output
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((line) => `${name} | ${line}\n`)
    .join('');

/** The command line that repeats a run alone. */
function repeating(
  { operation, failure }: Pick<ChaosRun, 'operation' | 'failure'>,
  given: Command,
) {
  const rows = [...RUN_OPTIONS, ...Object.values(SANDBOX_OPTIONS).flat()];
  const options = rows.flatMap(([flags]) => {
    const [flag = '', takesValue] = flags.split(' ');
    const name = flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const isKept = given.getOptionValueSource(name) === 'cli' && name !== 'only' && name !== 'jobs';
    if (!isKept) return [];
    return takesValue ? [flag, text(given, name) as string] : [flag];
  });
  const words = ['chaos', ...options, '--only', `${operation}:${failure}`, '--', ...given.args];
  return [PROGRAM, ...words.map(quoted)].join(' ');
}

/** A word as a shell takes it. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
