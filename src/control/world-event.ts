/* An event of a World: its schema, and how journal, events and log present it. */

import { z } from '@hono/zod-openapi';
import type { WorldEvent as ShownEvent } from '../types/public.ts';
import { momentText } from '../world/clock.ts';
import { durationWords } from '../world/duration.ts';
import { describeFault } from '../world/faults.ts';
import { counted } from '../world/grouped.ts';
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
  const { id: _id, feedId: _feedId, merchant, at, ...happening } = event;
  return {
    at: momentText(at),
    merchant: { ...merchant },
    summary: eventWords(event),
    ...structuredClone(happening),
  } as ShownEvent;
}

/** What happened, in a few words: `clock +15 min, 1 purchase expired`. */
export function eventWords(event: WorldHappening): string {
  switch (event.kind) {
    case 'clock': {
      const moved = Date.parse(event.to) - Date.parse(event.from);
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
    ...(expired > 0 ? [`${counted(expired, 'purchase')} expired`] : []),
    ...(ended > 0 ? [`${counted(ended, 'cover')} ended`] : []),
    ...(more > 0 ? [`${more} more ended`] : []),
  ];
}
