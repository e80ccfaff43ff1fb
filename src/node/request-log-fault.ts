import { describeFault, type Fault } from '../world/faults.ts';

/** Timers may end a little early by another clock. */
const TIMER_SLACK_MS = 2;

/**
 * What a fault did to a call, in words: `fault after; drop: 200 was answered, the connection was cut`.
 *
 * @param status what the journal has: what the service answered, null where nothing did
 */
export const faultWords = (fault: Fault, status: number | null, elapsedMs: number): string =>
  `fault ${describeFault(fault)}: ${deedOf(fault, status, elapsedMs)}`;

function deedOf({ stage, effect }: Fault, status: number | null, elapsedMs: number): string {
  const isDone = stage === 'after';
  const work = isDone ? 'the work was done' : 'nothing was done';
  switch (effect.kind) {
    case 'respond':
      return isDone ? `${work}, its answer was replaced` : work;
    case 'malformed':
      return `${work}, broken JSON was answered`;
    case 'truncate':
      return `${work}, half an answer was sent, the connection was cut`;
    case 'drop':
      return `${isDone ? `${status} was answered` : work}, the connection was cut`;
    case 'hang':
      return `${isDone ? `${status} was answered` : work}, the client is left waiting`;
    case 'delay':
      if (status === null) return 'nothing was done, the client gave up';
      if (elapsedMs < effect.ms - TIMER_SLACK_MS) return 'the client gave up, or the sandbox stops';
      return isDone
        ? `the answer left ${effect.ms} ms late`
        : `the work began ${effect.ms} ms late`;
  }
}
