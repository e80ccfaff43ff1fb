/* Takes a World back to the moment before a call. */

import { z } from '@hono/zod-openapi';
import { happen } from '../world/activity.ts';
import { grouped } from '../world/grouped.ts';
import { isReached, MAX_HISTORY_STEPS } from '../world/history.ts';
import { numberBefore } from '../world/journal.ts';
import { describeValue, truncate } from '../world/problem-texts.ts';
import { rewindWorld } from '../world/rewind.ts';
import { nowOf } from '../world/world.ts';
import { worldCall } from './call.ts';
import { Clock, showClock } from './clock.ts';
import { ControlError } from './control-error.ts';
import { namedInput } from './fields.ts';
import { findEntry } from './journal.ts';

export const Rewind = namedInput(
  'Rewind',
  'The call before which the World should be.',
  () => ({
    to: z.string().meta({
      description: 'The `Sandbox-Request-Id` of a call in the journal.',
      examples: ['req-3-2'],
    }),
  }),
  { to: 'req-3-2' },
);

/** The call that takes a World back. */
export const rewindCalls = {
  rewind: worldCall({
    operationId: 'rewindWorld',
    summary: 'Rewind a World to before a call',
    description: `Makes the World what it was when the call arrived: records, pending purchases, tokens, numbering, random state, faults with their uses, the journal, and the time of the clock, whose mode stays. Request ids and the counts of assumptions go on. Running calls finish in the World as it then is. A World remembers its last ${grouped(MAX_HISTORY_STEPS)} changes, control calls included, up to 4 MiB. A reset or a restart forgets them; on Workers, so does whatever ends the object. A call from before that returns 409.`,
    route: 'POST /rewind',
    body: Rewind,
    output: Clock,
    refusals: [404],
    conflict: 'The World no longer remembers that moment.',
    argument(to) {
      if (typeof to === 'string') return { to };
      throw new ControlError(
        422,
        `rewind() takes the id of a call, a string like "req-3-2"; got ${describeValue(to)}.`,
      );
    },
    run({ body: { to } }, merchant, store) {
      const { world } = merchant;
      const entry = findEntry(world, to);
      const { history, journal } = world;
      if (!entry.before || !isReached(history, entry.before)) {
        const forgets = store.host.cluster
          ? 'a reset, a restart or the end of its object'
          : 'a reset or a restart';
        throw new ControlError(
          409,
          `The World cannot go back to before ${truncate(to)}. It remembers its last ${grouped(MAX_HISTORY_STEPS)} changes, up to ${store.maxHistoryBytes >> 20} MiB, and ${forgets} forgets them.`,
        );
      }
      const { steps } = entry.before;
      rewindWorld(world, { steps, items: numberBefore(journal, entry, entry.before) }, entry.at);
      happen(store, merchant, journal, nowOf(world), { kind: 'rewind', to: entry.id });
      return showClock(world);
    },
  }),
};
