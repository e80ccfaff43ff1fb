/* The clock of a World: shows, freezes, moves and resumes it. */

import { z } from '@hono/zod-openapi';
import { endedCovers, MAX_EFFECTS, moveClock } from '../products/clock-move.ts';
import { expirePending, nextExpiry, type World } from '../products/world.ts';
import type * as wire from '../types/control-wire.ts';
import { changeWorld } from '../world/activity.ts';
import { type ClockMode, momentText, readClock } from '../world/clock.ts';
import { addDuration, DURATION_FORM, isDuration, PAST_END } from '../world/duration.ts';
import { TOKEN_MINUTES } from '../world/limits.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { truncate } from '../world/problem-texts.ts';
import { type Instant, MAX_INSTANT } from '../world/time.ts';
import { nowOf, type WorldCore } from '../world/world.ts';
import { worldCall } from './call.ts';
import { ControlError } from './control-error.ts';
import {
  clockMode,
  duration,
  EXAMPLE,
  familyKey,
  initiateName,
  moment,
  momentOrNext,
  namedInput,
  namedOutput,
  purchaseToken,
  readMoment,
  shownMoment,
  withMomentText,
} from './fields.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';

export const Clock = namedOutput(
  'ClockState',
  'Time and mode of a clock.',
  () => ({ now: shownMoment('The time of the World.'), mode: clockMode() }),
  { now: EXAMPLE.now, mode: 'frozen' },
);

export const ClockChange = namedInput(
  'ClockChange',
  'The new mode, the new time or both.',
  () => ({
    mode: clockMode().optional(),
    now: moment('The new time. It must not be before the current time.').optional(),
  }),
  { mode: 'frozen', now: EXAMPLE.now },
);

export const Advance = namedInput(
  'Advance',
  'How far to move the clock. Send either `by` or `to`.',
  () => ({
    by: duration(
      'How far to move. Months and years are calendar units.',
      EXAMPLE.lifetime,
    ).optional(),
    to: momentOrNext('The new time. It must not be before the current time.').optional(),
  }),
  { by: EXAMPLE.lifetime },
);

const EXAMPLE_EFFECT = {
  kind: 'purchase_expired',
  operation: EXAMPLE.initiate,
  token: EXAMPLE.token,
  at: EXAMPLE.later,
};

const PurchaseExpired = namedOutput(
  'PurchaseExpired',
  'A pending purchase that expired when the clock moved.',
  () => ({
    kind: z.enum(['purchase_expired']),
    operation: initiateName(),
    token: purchaseToken(),
    at: shownMoment(`When it expired: ${TOKEN_MINUTES} minutes after it was initiated.`),
  }),
  EXAMPLE_EFFECT,
);

const CoverEnded = namedOutput(
  'CoverEnded',
  'A policy whose cover ended when the clock moved.',
  () => ({
    kind: z.enum(['cover_ended']),
    family: familyKey(),
    policy_number: z.string().describe('Its policy number.'),
    at: shownMoment('When the cover ended. A renewal at that moment is late.'),
  }),
  {
    kind: 'cover_ended',
    family: EXAMPLE.familyKey,
    policy_number: EXAMPLE.policy.policy_number,
    at: EXAMPLE.now,
  },
);

/** What a move of a clock ended. */
export const ENDED = onFirstUse(() => ({
  effects: z
    .array(z.union([PurchaseExpired(), CoverEnded()]))
    .describe(
      `The pending purchases that expired and the policies whose cover ended, in order of time; the first ${MAX_EFFECTS}.`,
    ),
  more: z.int().min(0).describe('The number of effects beyond those in `effects`.'),
}));

export const AdvancedClock = onFirstUse(() =>
  Clock()
    .extend(ENDED())
    .openapi('AdvancedClock')
    .meta({
      description: 'The clock after it was moved, and what expired or ended.',
      examples: [{ now: EXAMPLE.later, mode: 'frozen', effects: [EXAMPLE_EFFECT], more: 0 }],
    }),
);

const BEFORE_NOW = 'The new time is before the current time.';

/** The calls over a World's clock. */
export const clockCalls = {
  'clock.show': worldCall({
    operationId: 'getClock',
    summary: 'Get the clock of a World',
    description:
      'A frozen clock shows the same time until you move it. A running clock goes on from where it was set.',
    route: 'GET /clock',
    output: Clock,
    run: (_, { world }) => showClock(world),
  }),
  'clock.set': worldCall({
    operationId: 'setClock',
    summary: 'Set the clock of a World',
    description: `Freezes the clock, lets it run, or moves it forward. A \`now\` before the current time returns 409 and changes nothing. Pending purchases whose ${TOKEN_MINUTES} minutes pass expire.`,
    route: 'PUT /clock',
    body: ClockChange,
    output: Clock,
    conflict: BEFORE_NOW,
    argument: (change) => withMomentText(change, 'now'),
    run: ({ body: { now: to, mode } }, merchant, store) =>
      moveTo(store, merchant, { to, mode }, 'now').clock,
  }),
  'clock.advance': worldCall({
    operationId: 'advanceClock',
    summary: 'Move the clock of a World forward',
    description:
      'Returns the pending purchases that expired and the policies whose cover ended. Durations are ISO 8601; months and years are calendar units, and the day is clamped to the end of the month.',
    route: 'POST /clock/advance',
    body: Advance,
    output: AdvancedClock,
    conflict: BEFORE_NOW,
    takes: 'a duration like "PT15M"',
    argument: (step) => (typeof step === 'string' ? { by: step } : withMomentText(step, 'to')),
    run({ body: { by, to } }, merchant, store) {
      if ((by === undefined) === (to === undefined)) {
        throw new ControlError(
          422,
          'Either by (a duration like PT15M) or to (a time) is required, not both.',
        );
      }
      const { clock, ended } = moveTo(store, merchant, { by, to }, 'to');
      return { ...clock, ...ended };
    },
  }),
};

/** Where a clock goes: a duration further, to a time, or to the next event. Without any, it stays. */
interface Move {
  readonly by?: string | undefined;
  readonly to?: string | undefined;
  /** Default: the mode stays. */
  readonly mode?: ClockMode | undefined;
}

/**
 * Moves the clock of a World, and sets its mode. Throws 409 if the time is before the current one.
 *
 * @param field what the call names the time
 */
const moveTo = (
  store: MerchantStore,
  merchant: MerchantAccount,
  { by, to, mode }: Move,
  field: 'now' | 'to',
) =>
  changeWorld(store, merchant, (world, time) => {
    const now = readClock(world.clock, time);
    const next = by === undefined ? targetOf(world, to, now) : later(now, by, 'by');
    if (next < now) {
      throw new ControlError(
        409,
        `${field} is before the current time, ${momentText(now)}. Clocks move forward only; a reset starts over.`,
      );
    }
    const { ended, happened } = moveClock(world, next, time, mode);
    const clock = { now: momentText(next), mode: world.clock.mode };
    return { result: { clock, ended: structuredClone(ended) }, happened };
  });

export const showClock = (world: WorldCore): wire.ClockState => ({
  now: momentText(nowOf(world)),
  mode: world.clock.mode,
});

/** The time that a text names: the current one if there is none, or the next event. */
function targetOf(world: World, to: string | undefined, now: Instant): Instant {
  if (to === undefined) return now;
  if (to !== 'next') return readMoment(to);
  // What has expired by now is no event any more.
  expirePending(world, now);
  const next = endedCovers(world, now, MAX_INSTANT).reduce(
    (first, { at }) => Math.min(first, at),
    nextExpiry(world) ?? MAX_INSTANT,
  );
  if (next < MAX_INSTANT) return next;
  throw new ControlError(
    409,
    'This World has no next event: no purchase is pending, and no cover ends.',
  );
}

/** Adds a duration in calendar units. Throws 422 if it is not an ISO 8601 duration, or too long. */
export function later(from: Instant, text: string, field: string): Instant {
  if (!isDuration(text)) {
    throw new ControlError(422, `${field} must be ${DURATION_FORM}; got ${truncate(text)}.`);
  }
  const at = addDuration(from, text);
  if (at !== undefined) return at;
  throw new ControlError(422, `${field} ${PAST_END}.`);
}
