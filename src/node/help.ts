import type { Command } from './command.ts';
import type { Flag, FlagGroup } from './flags.ts';
import { bold, dim } from './styles.ts';

export const PROGRAM = 'micro-insurance-sandbox';

/** How a help is shown. */
export interface HelpStyle {
  readonly colours: boolean;
  /** Characters in a line of the terminal; undefined where there is none. */
  readonly columns: number | undefined;
}

const DEFAULT_COLUMNS = 80;
const MIN_COLUMNS = 60;
/** Longer lines are hard to read, whatever a terminal has room for. */
const MAX_COLUMNS = 100;

const INDENT = '  ';
/** Where the descriptions begin. What stands before them and is longer has a line of its own. */
const TERM_WIDTH = 26;
const HANGING = ' '.repeat(TERM_WIDTH);

/** The flags that every command has. */
const HELP_FLAG: Flag = { name: 'help', short: 'h', description: 'show this' };
const VERSION_FLAG: Flag = { name: 'version', short: 'v', description: 'show the version' };

/** The help of one command. */
export function commandHelp(command: Command, style: HelpStyle): string {
  const { usage, summary, description, examples } = command;
  const paragraphs = [summary, ...(description?.split('\n') ?? [])];
  return toText(style, [
    [`${PROGRAM} ${usage}`, paragraphs.flatMap((text) => wrap(text, widthOf(style)))],
    ...flagSections(command, style),
    ...(command.more ?? []).map(([title, terms]) => termSection(title, terms, style)),
    ['Examples', examples],
  ]);
}

/** The help of the program: what it is, its commands, and everything about the one most people use. */
export function programHelp(
  commands: Readonly<Record<string, Pick<Command, 'summary'>>>,
  start: Command,
  style: HelpStyle,
): string {
  const list = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const);
  const itself = ['help [command]', 'this, or the help of one command'] as const;
  return toText(style, [
    [
      `${PROGRAM} [command] [flags]`,
      ["A local stand-in for a micro-insurance provider's merchant API."],
    ],
    termSection('Commands', [...list, itself], style),
    ...flagSections(start, style),
    ...(start.more ?? []).map(([title, terms]) => termSection(title, terms, style)),
    ['Examples', start.examples],
  ]);
}

type Section = readonly [title: string, lines: readonly string[]];

function flagSections({ flagGroups, ownVersion }: Command, style: HelpStyle): Section[] {
  const always = { title: 'Help', flags: ownVersion ? [HELP_FLAG] : [HELP_FLAG, VERSION_FLAG] };
  return [...flagGroups, always].map(({ title, flags }: FlagGroup) => [
    title,
    flags.flatMap((flag) => flagLines(flag, style)),
  ]);
}

const termSection = (
  title: string,
  terms: readonly (readonly [term: string, text: string])[],
  style: HelpStyle,
): Section => [title, terms.flatMap(([term, text]) => hang(term, wrapBeside(text, style)))];

function flagLines(flag: Flag, style: HelpStyle): string[] {
  const { name, value, short, description } = flag;
  const letter = short === undefined ? '    ' : `-${short}, `;
  const term = `${letter}--${name}${value === undefined ? '' : ` ${value}`}`;
  const lines = wrapBeside(description, style);
  return hang(term, withFacts(lines, factsOf(flag), style));
}

/** What holds without a flag, and the variables that mean the same. */
function factsOf({ env, default: byDefault }: Flag): string {
  const facts = [
    ...(byDefault === undefined ? [] : [`default ${byDefault}`]),
    ...(env === undefined ? [] : [env.join(' or ')]),
  ];
  return facts.length === 0 ? '' : `(${facts.join('; ')})`;
}

/** Lines with the facts at the end of the last one, or below it where there is no room. */
function withFacts(lines: readonly string[], facts: string, style: HelpStyle): readonly string[] {
  if (facts === '') return lines;
  const last = lines.at(-1) as string;
  const shown = (text: string) => dim(text, style.colours);
  if (last.length + 1 + facts.length <= widthBeside(style)) {
    return [...lines.slice(0, -1), `${last} ${shown(facts)}`];
  }
  return [...lines, ...wrapBeside(facts, style).map(shown)];
}

/** A term with the lines that explain it beside it, or below where it is long. */
function hang(term: string, lines: readonly string[]): string[] {
  const [first = '', ...rest] = lines;
  const below = rest.map((line) => HANGING + line);
  return term.length < TERM_WIDTH - 1
    ? [term.padEnd(TERM_WIDTH) + first, ...below]
    : [term, HANGING + first, ...below];
}

const widthOf = ({ columns = DEFAULT_COLUMNS }: HelpStyle): number =>
  Math.min(Math.max(columns, MIN_COLUMNS), MAX_COLUMNS) - INDENT.length;

const widthBeside = (style: HelpStyle): number => widthOf(style) - TERM_WIDTH;

const wrapBeside = (text: string, style: HelpStyle): string[] => wrap(text, widthBeside(style));

/** The lines of a text, none longer than that, broken between words. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function toText({ colours }: HelpStyle, sections: readonly Section[]): string {
  return sections
    .map(([title, lines]) =>
      [bold(title, colours), ...lines.map((line) => `${INDENT}${line}`.trimEnd())].join('\n'),
    )
    .join('\n\n')
    .concat('\n');
}
