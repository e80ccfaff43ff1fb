/* `chaos`: disturbs a program, and reports which failures it survives. */

import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { EXAMPLE } from '../../control/fields.ts';
import { type OptionGroups, RUN, SANDBOX_OPTIONS } from '../../start-options.ts';
import { DEFAULT_SLOW_MS, FAILURES } from '../../tools/chaos/failures.ts';
import type { Forecast, Progress } from '../../tools/chaos/index.ts';
import type { Outcome } from '../../tools/chaos/public.ts';
import {
  CALL_CHOICES,
  type Disturbance,
  nameOf,
  parseSelected,
} from '../../tools/chaos/selection.ts';
import { stopwatch } from '../../world/clock.ts';
import { shellWord } from '../../world/printable.ts';
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
} from '../command.ts';
import { UsageError } from '../errors.ts';
import { writeWhole } from '../files.ts';
import { namedAsGiven, sandboxOptions } from '../sandbox-options.ts';

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
    'The program is run once undisturbed. Then it is run again for each call it made and each failure. Every run has a sandbox for itself, with its URL in SANDBOX_URL and a key in SANDBOX_KEY; a program in Node may also bring its own. SANDBOX_RUN names the run. The sandbox judges each run by what was bought.',
  options: OPTIONS,
  more: {
    'Failures, and what happens to the call': FAILURES.map(
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
    Examples: [`${RUN} chaos -- npm test`, `${RUN} chaos --only lost,cut -- npm test`],
  },
  async run(given, terminal) {
    const command = given.args;
    if (!command[0]) {
      throw new UsageError(`chaos needs a command: ${RUN} chaos -- npm test`);
    }
    const { runChaos } = await import('../../tools/chaos/index.ts');
    const { isBad, toText } = await import('../../tools/chaos/text.ts');
    const { attemptWith } = await import('../chaos/attempt.ts');
    const { commandProgram } = await import('../chaos/command.ts');
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
    const timeLeft = createTimeLeft();
    const repeat = (run: Disturbance) => repeating(run, given);
    const report = await runChaos({
      ...plan,
      advice: ADVICE,
      repeat,
      attempt: attemptWith(commandProgram(command, terminal.environment), options, stop.signal),
      onForecast(forecast) {
        progress?.clear();
        tell(terminal, forecastText(forecast));
        timeLeft.begin(forecast);
      },
      onProgress: (now) => progress?.show(`${progressText(now)}${timeLeft.text(now)}`),
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
    const { colours } = terminal;
    terminal.out(isOn(given, 'json') ? json : toText(report, repeat, { colours }));
    if (file !== undefined) writeWhole(file, json);
    const isWrong = (outcome: Outcome) =>
      isBad(outcome) || (outcome === 'noticed' && isOn(given, 'strict'));
    return report.runs.some(({ outcome }) => isWrong(outcome)) ? 1 : 0;
  },
};

/** What to do about a program that calls nothing. */
const ADVICE = {
  noCall:
    'Let the program take the URL from SANDBOX_URL and the key from SANDBOX_KEY, or create its own sandbox in Node, with createSandbox or startSandbox of this version.',
  noKey:
    'Let the program take the key from SANDBOX_KEY, or add --auto-merchants, which creates a merchant for each key.',
};

/** `63 runs, about 12 s.` */
const forecastText = ({ runs, ms }: Forecast): string =>
  `${runs} ${runs === 1 ? 'run' : 'runs'}, about ${durationText(ms)}.`;

/** `12 s`, or `3 min`. */
function durationText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Tells how much time is left: as forecast, then by the runs that are done. */
function createTimeLeft() {
  const since = { forecast: { runs: 0, ms: 0 }, began: 0 };
  return {
    begin(forecast: Forecast) {
      Object.assign(since, { forecast, began: stopwatch() });
    },
    text({ done }: Progress): string {
      const { forecast, began } = since;
      const left = forecast.runs - done;
      if (left <= 0) return '';
      const ms = done === 0 ? forecast.ms : ((stopwatch() - began) / done) * left;
      return `; about ${durationText(ms)} left`;
    },
  };
}

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

/** The options that say which runs there are. */
const NOT_REPEATED = new Set(['only', 'calls', 'jobs']);

/** The command line that repeats a run alone. */
function repeating(run: Disturbance, given: Command): string {
  const rows = [...RUN_OPTIONS, ...Object.values(SANDBOX_OPTIONS).flat()];
  const options = rows.flatMap(([flags]) => {
    const [flag = '', takesValue] = flags.split(' ');
    const name = flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    if (given.getOptionValueSource(name) !== 'cli' || NOT_REPEATED.has(name)) return [];
    return takesValue ? [flag, text(given, name) as string] : [flag];
  });
  const words = ['chaos', ...options, '--only', nameOf(run), '--', ...given.args];
  return [RUN, ...words.map(shellWord)].join(' ');
}
