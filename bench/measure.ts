/* Rounds, ratios and quantiles of what is measured, and the table that shows them. */

/** A measured figure, usually a ratio to something measured in the same round. */
export interface Figure {
  readonly section: string;
  readonly name: string;
  /** The median of the ratios, or a plain value. */
  readonly value: number;
  /** The first and third quartile. */
  readonly spread?: readonly [number, number];
  readonly unit?: string;
  /** The best value of each side. */
  readonly detail?: string;
  readonly target?: Target;
}

export interface Target {
  readonly atMost?: number;
  readonly atLeast?: number;
}

export const isMet = ({ value, target }: Figure): boolean =>
  value <= (target?.atMost ?? Number.POSITIVE_INFINITY) && value >= (target?.atLeast ?? 0);

/** The value below which a given share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)] as number, sorted[Math.ceil(place)] as number];
  return low + (high - low) * (place - Math.floor(place));
}

/** The ratio of two series, round by round, so that a slow moment of the machine affects both. */
export function ratioOf(
  ours: readonly number[],
  theirs: readonly number[],
): Pick<Figure, 'value' | 'spread'> {
  const ratios = ours.map((value, round) => value / (theirs[round] as number));
  return { value: quantile(ratios, 0.5), spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)] };
}

/** Runs every contender once per round, in rotating order, and collects the results. */
export async function runCooperatively<Name extends string, T>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<T> | T>>,
): Promise<Record<Name, T[]>> {
  const names = Object.keys(contenders) as Name[];
  const measured = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    T[]
  >;
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length] as Name;
      measured[name].push(await contenders[name]());
    }
  }
  return measured;
}

/** How much to measure. A quick run shows that every section works; its figures are rough. */
export interface Effort {
  readonly rounds: number;
  readonly quick: boolean;
  /** Rounds whose results are dropped. */
  readonly warmUps: number;
  /** What each turn sends over a socket: requests for some seconds, or so many. */
  readonly load: { readonly duration: number } | { readonly amount: number };
}

export const FULL: Effort = { quick: false, rounds: 11, warmUps: 2, load: { duration: 2 } };
export const QUICK: Effort = { quick: true, rounds: 1, warmUps: 0, load: { amount: 160 } };

const HEADINGS = ['figure', 'measured', 'spread', 'target', '', 'details'];

/** The figures as a Markdown table. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${short(figure.value)}${figure.unit === undefined ? '' : ` ${figure.unit}`}`,
    figure.spread ? figure.spread.map(short).join(' – ') : '',
    targetText(figure.target),
    figure.target ? (isMet(figure) ? 'met' : 'MISSED') : '',
    figure.detail ?? '',
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(3, heading.length, ...rows.map((row) => (row[column] as string).length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`;
  return [line(HEADINGS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  );
}

const targetText = ({ atMost, atLeast }: Target = {}): string =>
  [atMost === undefined ? '' : `≤ ${atMost}`, atLeast === undefined ? '' : `≥ ${atLeast}`].join('');

export const short = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(2);
