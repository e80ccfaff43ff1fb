import { type Instant, MINUTE_MS, SECOND_MS } from '../world/time.ts';
import type { Send, Time } from './client.ts';
import type { PlayedCall } from './play.ts';
import { type Cast, type Recording, record } from './record.ts';
import { notAskedCall } from './results.ts';
import { isCall, type Scenario } from './scenarios/scenario.ts';

interface Stage {
  readonly base: string;
  readonly send: Send;
  readonly time: Time;
  readonly options: { readonly waitExpiry?: boolean | undefined };
  readonly server: { readonly noPurchase: string | undefined };
  onProgress(what: string): void;
}

interface Casting {
  /** Whether clocks can be moved. */
  readonly hasClock: boolean;
  cast(scenario: Scenario): Promise<Cast>;
}

/** A scenario that time has to pass for. */
interface Waiting {
  readonly due: Instant;
  readonly playing: AsyncGenerator<number, Recording>;
}

/** Plays scenarios one after the other; those that wait begin first and end last. */
export async function playAll(
  stage: Stage,
  scenarios: readonly Scenario[],
  { cast, hasClock }: Casting,
): Promise<{ recordings: Recording[]; skipped: PlayedCall[] }> {
  const { time, onProgress, options, server } = stage;
  const recordings: Recording[] = [];
  const skipped: PlayedCall[] = [];
  const waiting: Waiting[] = [];
  const total = scenarios.flatMap(({ steps }) => steps.filter(isCall)).length;
  let sent = 0;
  const recorder = {
    ...stage,
    onStep: ({ operation, shows }: { operation: { operationId: string }; shows: string }) => {
      sent += 1;
      onProgress(`${sent} of ${total}  ${operation.operationId} ${shows}`);
    },
  };
  const resume = async (playing: Waiting['playing']): Promise<void> => {
    const { done, value } = await playing.next();
    if (done) recordings.push(value);
    else waiting.push({ due: time.now() + value, playing });
  };
  const inOrder = [...scenarios].sort(
    (a, b) => Number(b.needs === 'wait') - Number(a.needs === 'wait'),
  );
  for (const scenario of inOrder) {
    const reason = reasonNotToPlay(scenario, {
      hasClock,
      waits: options.waitExpiry === true,
      ...server,
    });
    if (reason !== undefined) {
      if (reason !== '') skipped.push(...notAsked(scenario, reason));
      continue;
    }
    const actors = await cast(scenario);
    try {
      await resume(record(recorder, scenario, actors));
    } finally {
      await actors.merchant.done();
    }
  }
  while (waiting.length > 0) {
    waiting.sort((a, b) => a.due - b.due);
    const { due, playing } = waiting.shift() as Waiting;
    await waitUntil(stage, due);
    await resume(playing);
  }
  return { recordings, skipped };
}

/** Why a scenario is not played; empty where another one stands in for it. */
function reasonNotToPlay(
  { needs }: Scenario,
  {
    hasClock,
    waits,
    noPurchase,
  }: { hasClock: boolean; waits: boolean; noPurchase: string | undefined },
): string | undefined {
  if (needs === 'clock' && !hasClock) {
    return noPurchase ?? 'no clock can be moved: the server has no control plane';
  }
  const isLeftOut = needs === 'records' ? hasClock : needs === 'wait' && (hasClock || !waits);
  return isLeftOut ? '' : undefined;
}

const notAsked = ({ name, steps }: Scenario, reason: string): PlayedCall[] =>
  steps
    .filter(isCall)
    .map(({ operation, shows }) => notAskedCall(name, operation.operationId, shows, reason));

async function waitUntil({ time, onProgress }: Stage, at: Instant): Promise<void> {
  for (let left = at - time.now(); left > 0; left = at - time.now()) {
    const seconds = Math.ceil(left / SECOND_MS);
    const rest = String(seconds % (MINUTE_MS / SECOND_MS)).padStart(2, '0');
    onProgress(`waits ${Math.floor(seconds / 60)}:${rest} more for tokens to expire`);
    await time.wait(Math.min(left, SECOND_MS));
  }
}
