/* An event of a World: its schema, how journal, events and log present it, and how it is saved and restored. */

import { z } from '@hono/zod-openapi';
import type { WorldEvent as ShownEvent } from '../types/public.ts';
import { momentText } from '../world/clock.ts';
import { durationWords } from '../world/duration.ts';
import { describeFault } from '../world/faults.ts';
import { isEvent, type Journal } from '../world/journal.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import type { EndedByMove, StoredEvent, WorldHappening } from '../world/world-events.ts';
import { ENDED } from './clock.ts';
import { Fault } from './faults.ts';
import { clockMode, EXAMPLE, namedOutput, shownMoment } from './fields.ts';
import { MerchantName } from './journal-entry-schema.ts';

const shared = () => ({
  at: shownMoment("When it happened, by the World's clock after it."),
  merchant: MerchantName(),
  summary: z.string().describe('What happened: `clock +15 min, 1 purchase expired`.'),
});

const example = (fields: object) => ({
  at: EXAMPLE.later,
  merchant: { id: 3, name: 'Worker 3' },
  ...fields,
});

const ClockMoved = namedOutput(
  'ClockMoved',
  'The clock was moved, or its mode changed.',
  () => ({
    ...shared(),
    kind: z.enum(['clock']),
    from: shownMoment('The time before it.'),
    to: shownMoment('The time after it: `from`, if only the mode changed.'),
    mode: clockMode(),
    ...ENDED(),
  }),
  example({
    summary: 'clock +15 min',
    kind: 'clock',
    from: EXAMPLE.now,
    to: EXAMPLE.later,
    mode: 'frozen',
    effects: [],
    more: 0,
  }),
);

const WorldReplaced = namedOutput(
  'WorldReplaced',
  'The World was reset, or restored from a snapshot.',
  () => ({ ...shared(), kind: z.enum(['reset', 'restore']) }),
  example({ summary: 'World reset', kind: 'reset' }),
);

const WorldRewound = namedOutput(
  'WorldRewound',
  'The World was taken back to before a call.',
  () => ({
    ...shared(),
    kind: z.enum(['rewind']),
    to: z.string().describe('The `Sandbox-Request-Id` of the call before which the World is.'),
  }),
  example({ summary: 'World rewound to before req-3-2', kind: 'rewind', to: 'req-3-2' }),
);

const FaultChanged = namedOutput(
  'FaultChanged',
  'A fault rule was added or removed. The rule lacks what may be large or secret: `match.body`, `match.query`, and headers and body of a response.',
  () => ({
    ...shared(),
    kind: z.enum(['fault_added', 'fault_removed']),
    rule: Fault(),
  }),
  example({
    summary: 'fault added: after; drop',
    kind: 'fault_added',
    rule: {
      id: 'fault-1',
      match: {},
      stage: 'after',
      effect: { kind: 'drop' },
      skip: 0,
      times: 1,
      probability: 1,
    },
  }),
);

export const WorldEvent = onFirstUse(() =>
  z.union([ClockMoved(), WorldReplaced(), WorldRewound(), FaultChanged()]).meta({
    description: 'Something that happened to a World between its calls.',
    examples: ClockMoved().meta()?.examples as unknown[],
  }),
);

/** An event as every view shows it. It shares nothing with the journal. */
export function presentEvent(event: StoredEvent): ShownEvent {
  const { at, merchant } = event;
  return {
    at: momentText(at),
    merchant: { ...merchant },
    summary: eventWords(event),
    ...presentHappening(event),
  } as ShownEvent;
}

function presentHappening(event: StoredEvent): object {
  const { id, feedId, merchant, at, ...happening } = event;
  const shown: WorldHappening = structuredClone(happening);
  if (shown.kind !== 'clock') return shown;
  return { ...shown, from: momentText(shown.from), to: momentText(shown.to) };
}

/** What happened, in a few words: `clock +15 min, 1 purchase expired`. */
export function eventWords(event: WorldHappening): string {
  switch (event.kind) {
    case 'clock': {
      const moved = event.to - event.from;
      const what = moved > 0 ? `+${durationWords(moved)}` : event.mode;
      return [`clock ${what}`, ...endWords(event)].join(', ');
    }
    case 'reset':
      return 'World reset';
    case 'restore':
      return 'World restored';
    case 'rewind':
      return `World rewound to before ${event.to}`;
    default: {
      const { match, ...fault } = event.rule;
      const what = [match.operation, describeFault(fault)].filter(Boolean).join(' ');
      return `fault ${event.kind === 'fault_added' ? 'added' : 'removed'}: ${what}`;
    }
  }
}

/** `1 purchase expired, 2 covers ended`. */
function endWords({ effects, more }: EndedByMove): string[] {
  const expired = effects.filter(({ kind }) => kind === 'purchase_expired').length;
  const ended = effects.length - expired;
  return [
    ...(expired > 0 ? [`${expired} purchase${expired === 1 ? '' : 's'} expired`] : []),
    ...(ended > 0 ? [`${ended} cover${ended === 1 ? '' : 's'} ended`] : []),
    ...(more > 0 ? [`${more} more ended`] : []),
  ];
}

type Saved<Event> = Event extends ShownEvent
  ? Omit<Event, 'merchant' | 'summary'> & {
      readonly id: number;
      /** The call after which it happened; null if the journal had none. */
      readonly after: string | null;
    }
  : never;

/** A saved event. Its merchant is the one of its World, and its summary is made again. */
export type SavedEvent = Saved<ShownEvent>;

export const SavedEvent = onFirstUse(() =>
  z.union(
    [ClockMoved(), WorldReplaced(), WorldRewound(), FaultChanged()].map((event) => {
      const { merchant: _merchant, summary: _summary, ...fields } = event.shape;
      return z.strictObject({ id: z.int().min(1), after: z.string().nullable(), ...fields });
    }),
  ),
);

/** The events of a journal at rest. */
export function savedEvents({ items }: Journal): SavedEvent[] {
  let after: string | null = null;
  const saved: SavedEvent[] = [];
  for (const item of items) {
    if (isEvent(item)) {
      const { id, at } = item;
      saved.push({ id, at: momentText(at), after, ...presentHappening(item) } as SavedEvent);
    } else after = item.id;
  }
  return saved;
}

/** Converts a saved event back. */
export function restoreEvent(
  { id, at, after: _place, ...happened }: SavedEvent,
  merchant: StoredEvent['merchant'],
): StoredEvent {
  const happening =
    happened.kind === 'clock'
      ? { ...happened, from: Date.parse(happened.from), to: Date.parse(happened.to) }
      : happened;
  const { id: merchantId, name } = merchant;
  return {
    ...(happening as WorldHappening),
    ...{ id, feedId: 0, merchant: { id: merchantId, name }, at: Date.parse(at) },
  };
}
