/* What happens to a World between its calls: moves of its clock, resets, rewinds, restores, faults. */

import type { AdvancedClock, FaultRule, WorldEvent } from '../types/public.ts';
import type { Instant } from './time.ts';

/** What a move of a clock ended: the first of it, and how much more there was. */
export type EndedByMove = Pick<AdvancedClock, 'effects' | 'more'>;

type Happening<Event> = Event extends WorldEvent
  ? Readonly<Omit<Event, 'at' | 'merchant' | 'summary'>>
  : never;

/**
 * What happened, as every view shows it. The rule of a fault lacks what callers wrote into it, which may be large and
 * secret.
 */
export type WorldHappening = Happening<WorldEvent>;

/** An event as a journal keeps it. */
export type StoredEvent = WorldHappening & {
  /** Its number in its journal. */
  readonly id: number;
  /** Its number among the activities of this process; 0 if it comes from a snapshot. */
  readonly feedId: number;
  readonly merchant: { readonly id: number; readonly name: string };
  /** The time of the World after it. */
  readonly at: Instant;
};

/** A rule as an event has it. */
export const shownRule = ({ match, effect, ...rule }: FaultRule): FaultRule => {
  const { operation } = match;
  const { body: _body, headers: _headers, ...shown } = { body: 0, headers: 0, ...effect };
  return {
    ...rule,
    match: operation === undefined ? {} : { operation },
    effect: shown as FaultRule['effect'],
  };
};
