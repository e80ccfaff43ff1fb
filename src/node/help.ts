import type { Command } from './command.ts';
import type { Flag } from './flags.ts';
import { bold, dim } from './styles.ts';

export const PROGRAM = 'micro-insurance-sandbox';

const WIDTH = 30;
/** What is longer takes two lines. */
const MAX_LINE = 110;

/** The help of one command. */
export function commandHelp(command: Command, colours: boolean): string {
  return sections(colours, [
    [`${PROGRAM} ${command.usage}`, [command.summary, ...(command.description?.split('\n') ?? [])]],
    ['Flags', [...command.flags, HELP].flatMap((flag) => flagLines(flag, colours))],
    ['Examples', command.examples],
  ]);
}

/** The help of the program: what it is, its commands, and everything about the one most people use. */
export function programHelp(
  commands: Readonly<Record<string, Pick<Command, 'summary'>>>,
  start: Command,
  colours: boolean,
): string {
  const list = Object.entries(commands).map(
    ([name, { summary }]) => `${name.padEnd(WIDTH)}${summary}`,
  );
  return sections(colours, [
    [
      `${PROGRAM} [command] [flags]`,
      ["A local stand-in for a micro-insurance provider's merchant API."],
    ],
    ['Commands', [...list, `${'help [command]'.padEnd(WIDTH)}this, or the help of one command`]],
    [
      'Flags of start',
      [...start.flags, HELP, VERSION_FLAG].flatMap((flag) => flagLines(flag, colours)),
    ],
    ['Examples', start.examples],
  ]);
}

const HELP: Flag = { name: 'help', short: 'h', description: 'show this' };
const VERSION_FLAG: Flag = { name: 'version', short: 'v', description: 'show the version' };

function flagLines(
  { name, value, env, default: byDefault, short, description }: Flag,
  colours: boolean,
): string[] {
  const letter = short === undefined ? '' : `, -${short}`;
  const written = `--${name}${letter}${value === undefined ? '' : ` ${value}`}`.padEnd(WIDTH);
  const more = [
    ...(byDefault === undefined ? [] : [`default ${byDefault}`]),
    ...(env === undefined ? [] : [env.join(' or ')]),
  ];
  const line = `${written}${description}`;
  if (more.length === 0) return [line];
  const facts = `(${more.join('; ')})`;
  return line.length + facts.length < MAX_LINE
    ? [`${line} ${dim(facts, colours)}`]
    : [line, `${' '.repeat(WIDTH)}${dim(facts, colours)}`];
}

function sections(
  colours: boolean,
  parts: readonly (readonly [string, readonly string[]])[],
): string {
  return parts
    .map(([title, lines]) =>
      [bold(title, colours), ...lines.map((line) => `  ${line}`.trimEnd())].join('\n'),
    )
    .join('\n\n')
    .concat('\n');
}
