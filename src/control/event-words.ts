/* An event of a World in a few words, for its summary and for the request log. */

import { durationWords } from '../world/duration-words.ts';
import { describeFault } from '../world/faults.ts';
import type { EndedByMove, WorldHappening } from '../world/world-events.ts';

/** What happened, in a few words: `clock +15 min, 1 purchase expired`. */
export function eventWords(event: WorldHappening): string {
  switch (event.kind) {
    case 'clock': {
      const moved = event.to - event.from;
      return [
        `clock ${moved > 0 ? `+${durationWords(moved)}` : event.mode}`,
        ...endWords(event),
      ].join(', ');
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
