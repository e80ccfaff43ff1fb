/* The help of the program: its commands, then the flags that most people need. `COMMAND --help` has all of one command. */

import type { Command, Help } from 'commander';
import { PROGRAM, RUN, START_OPTIONS } from '../sandbox/start-options.ts';

/** Of the flags of `start`, in this order. */
const MAIN_FLAGS = [
  ...['--port', '--open', '--fixtures', '--now', '--freeze', '--auto-merchants', '--state'],
  ...['--quiet', '--attached'],
];

const EXAMPLES = [
  `${RUN} --open`,
  `${RUN} --auto-merchants --now 2026-01-31 --freeze`,
  `${RUN} chaos -- npm test`,
];

const TERM_WIDTH = 18;

/** Formats the help of the program, for Commander. */
export function formatProgramHelp(program: Command, help: Help): string {
  const rows = Object.values(START_OPTIONS).flat();
  const main = MAIN_FLAGS.map((flag) =>
    rows.find(([flags]) => flags.split(/[ ,]+/).includes(flag)),
  );
  const section = (title: string, items: readonly (readonly [string, string])[]) =>
    [
      help.styleTitle(title),
      ...items.map(([term, text]) => help.formatItem(term, TERM_WIDTH, text, help)),
    ].join('\n');
  return `${[
    `${help.styleTitle('Usage:')} ${PROGRAM} [command] [flags]`,
    program.description(),
    section(
      'Commands:',
      program.commands.map((command) => [command.name(), command.summary()]),
    ),
    section('Flags:', [
      ...main.flatMap((row): [string, string][] => (row ? [[row[0], row[1]]] : [])),
      ['-v, --version', 'show the version'],
      ['-h, --help', 'show this help'],
    ]),
    `All flags with their variables: ${RUN} start --help\nAll of another command: ${RUN} COMMAND --help`,
    [help.styleTitle('Examples:'), ...EXAMPLES.map((line) => `  ${line}`)].join('\n'),
  ].join('\n\n')}\n`;
}
