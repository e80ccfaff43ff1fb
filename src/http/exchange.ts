import type { Context } from 'hono';
import type { AssumptionId } from '../core/assumptions.ts';
import { readClock } from '../core/clock.ts';
import { DomainError } from '../core/errors.ts';
import { describeFault, type Fault, parseFault, takeFault } from '../core/faults.ts';
import { type RawHeaders, recordExchange } from '../core/journal.ts';
import type { Instant } from '../core/time.ts';
import { nextId, type WorldCore } from '../core/world.ts';
import {
  type Answered,
  defectAnswer,
  refusalAnswer,
  standInAnswer,
  successAnswer,
  unauthenticatedAnswer,
} from './answer.ts';
import { isJson, parseJson, readText } from './body.ts';
import { type Answer, disturb, letsWork, send, sentBody } from './faulty.ts';
import type { Directory, Merchant } from './merchant.ts';
import type { Operation } from './operation.ts';
import { readInput } from './validation.ts';

/** What a server can tell of a request besides the request itself. */
export interface Connection {
  /** Header names and values in turn, as they came. */
  readonly rawHeaders?: readonly string[];
  /** The address of the client. */
  readonly remoteAddress?: string | undefined;
  /** Makes the responses, where a server has something cheaper than Response. */
  readonly respond?: (answer: Answer) => Response;
}

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

interface Call extends Answered {
  readonly merchant: Merchant;
  readonly target: Target;
  readonly startedAt: Instant;
}

/**
 * One exchange of the merchant API, from the key to the journal: who calls, is there a fault, what was
 * sent, what the operation makes of it, what is answered.
 */
export async function exchange(
  directory: Directory,
  settle: Settle,
  target: Target,
  c: SandboxContext,
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
  const { text, refusal } = hasBody(c) ? await readRequest(c) : NO_BODY;
  const refused = target.refusal ?? refusal;

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

interface SentBody {
  readonly text: string | null;
  readonly refusal?: DomainError;
}

const NO_BODY: SentBody = { text: null };

const hasBody = ({ req: { method } }: SandboxContext): boolean =>
  method !== 'GET' && method !== 'HEAD';

async function readRequest(c: SandboxContext): Promise<SentBody> {
  try {
    return { text: await readText(c.req.raw) };
  } catch (error) {
    if (error instanceof DomainError) return { text: null, refusal: error };
    throw error;
  }
}

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
  c: SandboxContext,
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

function sentInput(operation: Operation, c: SandboxContext, text: string | null): unknown {
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

const withoutQuery = (url: string): string => {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
};

/** Lets the fault act on the answer, records the exchange, and sends. */
function finish(
  c: SandboxContext,
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
  c: SandboxContext,
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

function record(
  c: SandboxContext,
  call: Call,
  text: string | null,
  fault: Fault | undefined,
  answered: Answer | undefined,
): void {
  const { world, operation, requestId, startedAt, merchant } = call;
  const { method } = c.req;
  recordExchange(world.journal, {
    id: requestId,
    at: startedAt,
    operation: operation?.operationId ?? null,
    method,
    path: pathOf(c),
    status: answered?.status ?? null,
    duration_ms: readClock(world.clock) - startedAt,
    fault: fault ?? null,
    request: { headers: rawHeaders(c), body: text },
    response: answered
      ? { headers: answered.headers, body: method === 'HEAD' ? null : sentBody(answered) }
      : null,
  });
  for (const watch of merchant.watchers) watch();
}

const rawHeaders = (c: SandboxContext): RawHeaders => c.env?.rawHeaders ?? c.req.raw.headers;

function pathOf(c: SandboxContext): string {
  const { url } = c.req;
  return url.slice(url.indexOf('/', url.indexOf('://') + 3));
}
