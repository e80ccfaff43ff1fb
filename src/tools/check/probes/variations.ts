/* Probes of one call with other fields: that it is refused, or accepted. */

import { type Answer, type ProbeCall, varied } from '../call.ts';
import {
  AS_PUBLISHED,
  accepted,
  agreed,
  all,
  type Probe,
  type ProbeReading,
  probe,
  refused,
  unknown,
  words,
} from '../probe.ts';

type Changes = Parameters<typeof varied>[2];
type Options = Parameters<typeof varied>[3];

interface Variation {
  readonly id: string;
  readonly about: Probe['about'];
  readonly title: string;
  /** What each call has instead; a field that is undefined is left out. */
  readonly each: readonly (Changes | ProbeCall)[];
  readonly options?: Options;
}

const isCall = (changes: Changes | ProbeCall): changes is ProbeCall =>
  typeof changes === 'object' && 'operation' in changes;

const variedCalls = (base: ProbeCall, { each, options }: Variation, more: Options = {}) =>
  Object.fromEntries(
    each.map((changes, place) => [
      `request${place}`,
      isCall(changes) ? changes : varied(base, '', changes, { ...options, ...more }),
    ]),
  );

/** A probe that calls with such fields are refused. */
export const refuses = (base: ProbeCall, variation: Variation): Probe => {
  const calls = variedCalls(base, variation, { refusal: 'invalid' });
  const { id, about, title } = variation;
  return probe({
    ...{ id, about, title, calls },
    read: (answers) => all(...Object.values(answers as Record<string, Answer>).map(refused)),
  });
};

/** A probe that calls with such fields are accepted, and of what they answer. */
export const accepts = (
  base: ProbeCall,
  variation: Variation & {
    readonly reads?: (answer: Answer) => ProbeReading;
    /** The field that it is about, if the call has others, too. */
    readonly field?: string;
  },
): Probe => {
  const calls = variedCalls(base, variation);
  const { id, about, title, field, reads = () => AS_PUBLISHED } = variation;
  return probe({
    ...{ id, about, title, calls },
    read: (answers) =>
      all(
        ...Object.values(answers as Record<string, Answer>).map((answer) =>
          answer.ok
            ? reads(answer)
            : field === undefined || answer.names(field)
              ? accepted(answer)
              : unknown(`a call with it was ${answer.shown}`),
        ),
      ),
  });
};

/** A probe of two values of a profile: what calls are accepted under the second. All have to say the same. */
export const allows = (
  calls: readonly ProbeCall[],
  {
    id,
    about,
    title,
    published,
    other,
  }: Omit<Variation, 'each' | 'options'> & {
    readonly published: unknown;
    readonly other: unknown;
  },
): Probe =>
  probe({
    ...{ id, about, title, some: calls },
    read: (_, some) =>
      agreed(
        some.map((answer) => [
          answer.ok ? other : answer.status < 500 ? published : words(answer.shown),
          answer,
        ]),
      ),
  });
