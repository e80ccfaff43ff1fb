import type { AssumptionId } from '../core/assumptions.ts';
import { readClock } from '../core/clock.ts';
import { DomainError } from '../core/errors.ts';
import { describeFault, type Fault, parseFault, takeFault } from '../core/faults.ts';
import type { Instant } from '../core/time.ts';
import { nextId, type WorldCore } from '../core/world.ts';
import {
  defectAnswer,
  refusalAnswer,
  standInAnswer,
  successAnswer,
  unauthenticatedAnswer,
} from './answer.ts';
import { isJson, parseJson, readText } from './body.ts';
import { disturb, letsWork } from './faulty.ts';
import type { Directory } from './merchant.ts';
import type { Operation } from './operation.ts';
import type { Received } from './received.ts';
import { type Recorded, record } from './recording.ts';
import { type Answer, send } from './sending.ts';
import { readInput } from './validation.ts';

/** A path the merchant API has and an operation serves, or one that it refuses. */
export type Target =
  | { readonly operation: Operation; readonly refusal?: undefined }
  | {
      readonly operation: Operation | undefined;
      /** Why no operation will serve this call. */
      readonly refusal: DomainError;
      readonly allow?: string;
    };

/** Drops what expired in a World: a World is looked at only after this. */
export type Settle = (world: WorldCore, now: Instant) => void;

interface Call extends Recorded {
  readonly target: Target;
  /** Why the body was not read. */
  readonly unread: DomainError | undefined;
}

/**
 * One exchange of the merchant API, from the key to the journal: who calls, is there a fault, what was
 * sent, what the operation makes of it, what is answered.
 */
export async function exchange(
  directory: Directory,
  settle: Settle,
  target: Target,
  received: Received,
): Promise<Response> {
  const merchant = directory.authenticate(received.req.header('authorization'));
  const { operation } = target;
  if (!merchant) return send(unauthenticatedAnswer(directory, operation?.envelope), received.env);

  const { world } = merchant;
  const requestId = `req-${world.merchant_id}-${nextId(world, 'request')}`;
  const startedAt = readClock(world.clock);
  let text: string | null = null;
  let unread: DomainError | undefined;
  if (hasBody(received)) {
    try {
      text = await readText(received.req.raw);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      unread = error;
    }
  }
  const call: Call = {
    received,
    merchant,
    world,
    operation,
    target,
    requestId,
    startedAt,
    text,
    unread,
  };

  const header = received.req.header('sandbox-fault');
  const asked = header === undefined ? undefined : parseFault(header);
  if (header !== undefined && !asked) {
    const unreadable = new DomainError('malformed', [
      'The Sandbox-Fault header can not be read; write for example "after; drop", "before; respond; status=503" or "before; delay; ms=2000".',
    ]);
    return finish(call, undefined, refusalAnswer(call, unreadable));
  }
  const fault = asked ?? matchingFault(call);
  if (fault?.stage === 'before' && !(await letsWork(fault, received.req.raw.signal))) {
    return finishDisturbed(call, fault, undefined);
  }

  const now = readClock(world.clock);
  settle(world, now);
  const made = answer(call, now, directory.publicUrl);
  return fault?.stage === 'after' ? finishDisturbed(call, fault, made) : finish(call, fault, made);
}

const hasBody = ({ req: { method } }: Received): boolean => method !== 'GET' && method !== 'HEAD';

function matchingFault({ world, operation, text }: Call): Fault | undefined {
  if (world.faults.length === 0) return undefined;
  return takeFault(world, operation?.operationId ?? null, bodyForMatching(text));
}

function bodyForMatching(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** What the service says. */
function answer(call: Call, now: Instant, publicUrl: string | undefined): Answer {
  const { world, target, received } = call;
  try {
    if (target.refusal) throw target.refusal;
    const { operation } = target;
    if (operation.method === 'post' && !isJson(received.req.header('content-type'))) {
      throw new DomainError(
        'unsupported_media_type',
        ['The Content-Type header must be application/json.'],
        ['http-status'],
      );
    }
    if (call.unread) throw call.unread;
    const noted: AssumptionId[] = [];
    const { url, path } = received.req;
    const scope = {
      world,
      now,
      address: publicUrl === undefined ? withoutQuery(url) : `${publicUrl}${path}`,
      assume: (id: AssumptionId) => noted.push(id),
    };
    const input = readInput(operation, scope, sentInput(operation, call));
    const data = operation.handle(scope, input as Record<string, unknown>);
    return successAnswer(call, operation, data, noted);
  } catch (error) {
    if (!(error instanceof DomainError)) return defectAnswer(call, error);
    return refusalAnswer(call, error, target.refusal && target.allow);
  }
}

function sentInput({ request }: Operation, { received: { req }, text }: Call): unknown {
  switch (request?.in) {
    case 'body':
      return parseJson(text ?? '');
    case 'query':
      return req.query();
    case 'params':
      return req.param();
    default:
      return undefined;
  }
}

/** In process, an address may also end in a fragment. */
function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** Records the exchange, and sends what the service says. */
function finish(call: Call, fault: Fault | undefined, made: Answer): Response {
  if (fault) made.headers['sandbox-fault'] = describeFault(fault);
  record(call, fault, made);
  return send(made, call.received.env);
}

/** Lets a fault act on the answer, or on the one that stands in where the service made none. */
async function finishDisturbed(
  call: Call,
  fault: Fault,
  made: Answer | undefined,
): Promise<Response> {
  const { effect } = fault;
  const { env, req } = call.received;
  const standsIn = !made || effect.kind === 'respond';
  const base = standsIn ? standInAnswer(call, effect) : made;
  base.headers['sandbox-fault'] = describeFault(fault);
  // Nobody knows when the client will give up: what was done is there to be seen before.
  if (effect.kind === 'hang') record(call, fault, made);
  let answered = made;
  try {
    const disturbed = await disturb(fault, base, req.raw.signal);
    answered = disturbed instanceof Response ? base : disturbed;
    return disturbed instanceof Response ? disturbed : send(disturbed, env);
  } finally {
    if (effect.kind !== 'hang') record(call, fault, answered);
  }
}
