import { advanceClock, changeClock, showClock } from '../clock.ts';
import { type ControlRoute, controlRoute } from '../route.ts';
import { Advance, Advanced, ClockChange, ClockState } from '../schemas/clock.ts';

/** The clock of a World: shown, set, moved on. */
export const clockRoutes: readonly ControlRoute[] = [
  controlRoute({
    operationId: 'getClock',
    summary: "Read a World's clock",
    method: 'get',
    path: '/clock',
    over: 'world',
    status: 200,
    answer: ClockState,
    refusals: [],
    handle: ({ tenant }) => showClock(tenant.world),
  }),
  controlRoute({
    operationId: 'setClock',
    summary: "Freeze a World's clock, set it running, or move it forward",
    description:
      'All or nothing: a `now` before what the clock shows is 409. Purchases that lapse on the way are dropped.',
    method: 'put',
    path: '/clock',
    over: 'world',
    request: { in: 'body', schema: ClockChange },
    status: 200,
    answer: ClockState,
    refusals: [409, 422],
    handle: ({ tenant }, change) => changeClock(tenant.world, change),
  }),
  controlRoute({
    operationId: 'advanceClock',
    summary: 'Let time pass in a World and see what lapsed',
    description:
      'Durations are ISO 8601; months and years are calendar ones, the day clamped to the end of the month.',
    method: 'post',
    path: '/clock/advance',
    over: 'world',
    request: { in: 'body', schema: Advance },
    status: 200,
    answer: Advanced,
    refusals: [409, 422],
    handle: ({ tenant }, advance) => advanceClock(tenant.world, advance),
  }),
];
