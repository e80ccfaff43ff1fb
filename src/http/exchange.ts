import type { Context } from 'hono';
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
import { type Answer, disturb, letsWork, send } from './faulty.ts';
import type { Directory } from './merchant.ts';
import type { Operation } from './operation.ts';
import type { Connection, Received } from './received.ts';
import { type Recorded, record } from './recording.ts';
import { readInput } from './validation.ts';

export type SandboxEnv = { Bindings: Connection };
export type SandboxContext = Context<SandboxEnv>;

/** A path the merchant API has, or refuses. */
export interface Target {
  readonly operation: Operation | undefined;
  /** Why no operation will serve this call. */
  readonly refusal?: DomainError;
  readonly allow?: string;
}

/** Drops what expired in a World and returns nothing: a World is looked at only after this. */
export type Settle = (world: WorldCore, now: Instant) => void;

interface Call extends Recorded {
  readonly target: Target;
}

/**
 * One exchange of the merchant API, from the key to the journal: who calls, is there a fault, what was
 * sent, what the operation makes of it, what is answered.
 */
export async function exchange(
  directory: Directory,
  settle: Settle,
  target: Target,
  c: Received,
): Promise<Response> {
  const merchant = directory.authenticate(c.req.header('authorization'));
  const { operation } = target;
  if (!merchant) return send(unauthenticatedAnswer(directory, operation?.envelope), c.env);

  const { world } = merchant;
  const call: Call = {
    merchant,
    world,
    operation,
    target,
    requestId: `req-${world.merchant_id}-${nextId(world, 'request')}`,
    startedAt: readClock(world.clock),
  };
  let text: string | null = null;
  let refused = target.refusal;
  if (hasBody(c)) {
    try {
      text = await readText(c.req.raw);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refused ??= error;
    }
  }

  const header = c.req.header('sandbox-fault');
  const asked = header === undefined ? undefined : parseFault(header);
  if (header !== undefined && !asked) {
    const unreadable = new DomainError('malformed', [
      'The Sandbox-Fault header can not be read; write for example "after; drop", "before; respond; status=503" or "before; delay; ms=2000".',
    ]);
    return finish(c, call, text, undefined, refusalAnswer(call, unreadable));
  }
  const fault = asked ?? matchingFault(call, text);
  if (fault?.stage === 'before' && !(await letsWork(fault, c.req.raw.signal))) {
    return finish(c, call, text, fault, undefined);
  }

  const now = readClock(world.clock);
  settle(world, now);
  return finish(c, call, text, fault, answer(call, c, text, refused, now, directory.publicUrl));
}

const hasBody = ({ req: { method } }: Received): boolean => method !== 'GET' && method !== 'HEAD';

function matchingFault({ world, operation }: Call, text: string | null): Fault | undefined {
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
function answer(
  call: Call,
  c: Received,
  text: string | null,
  refused: DomainError | undefined,
  now: Instant,
  publicUrl: string | undefined,
): Answer {
  const { operation, world } = call;
  try {
    if (!operation || call.target.refusal) {
      throw refused ?? new DomainError('route_unknown', ['Not found.'], ['unknown-route']);
    }
    const post = operation.method === 'post';
    if (post && !isJson(c.req.header('content-type'))) {
      throw new DomainError(
        'unsupported_media_type',
        ['The Content-Type header must be application/json.'],
        ['http-status'],
      );
    }
    if (refused) throw refused;
    const noted: AssumptionId[] = [];
    const scope = {
      world,
      now,
      address: publicUrl === undefined ? withoutQuery(c.req.url) : `${publicUrl}${c.req.path}`,
      assume: (id: AssumptionId) => noted.push(id),
    };
    const input = readInput(operation, scope, sentInput(operation, c, text));
    const data = operation.handle(scope, input as Record<string, unknown>);
    return successAnswer(call, operation, data, noted);
  } catch (error) {
    if (error instanceof DomainError) return refusalAnswer(call, error, call.target.allow);
    return defectAnswer(call, error);
  }
}

function sentInput(operation: Operation, c: Received, text: string | null): unknown {
  switch (operation.request?.in) {
    case 'body':
      return parseJson(text ?? '');
    case 'query':
      return c.req.query();
    case 'params':
      return c.req.param();
    default:
      return undefined;
  }
}

/** In process, an address may also end in a fragment. */
function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** Lets the fault act on the answer, records the exchange, and sends. */
function finish(
  c: Received,
  call: Call,
  text: string | null,
  fault: Fault | undefined,
  made: Answer | undefined,
): Response | Promise<Response> {
  // A fault before the service that let it do its work has done its own.
  if (!fault || (fault.stage === 'before' && made)) {
    if (fault && made) made.headers['sandbox-fault'] = describeFault(fault);
    record(c, call, text, fault, made);
    return send(made as Answer, c.env);
  }
  return finishDisturbed(c, call, text, fault, made);
}

async function finishDisturbed(
  c: Received,
  call: Call,
  text: string | null,
  fault: Fault,
  made: Answer | undefined,
): Promise<Response> {
  const { effect } = fault;
  const standsIn = !made || effect.kind === 'respond';
  const base = standsIn ? standInAnswer(call, effect) : made;
  base.headers['sandbox-fault'] = describeFault(fault);
  // Nobody knows when the client will give up: what was done is there to be seen before.
  if (effect.kind === 'hang') record(c, call, text, fault, made);
  let answered = made;
  try {
    const disturbed = await disturb(fault, base, c.req.raw.signal);
    answered = disturbed instanceof Response ? base : disturbed;
    return disturbed instanceof Response ? disturbed : send(disturbed, c.env);
  } finally {
    if (effect.kind !== 'hang') record(c, call, text, fault, answered);
  }
}
