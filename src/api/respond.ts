/* Sends successes and refusals in the envelope of their call. */

import type { AssumptionId } from '../world/assumptions.ts';
import { TimeSourceError } from '../world/clock.ts';
import { DomainError } from '../world/errors.ts';
import { nextRequestId } from '../world/merchants.ts';
import type { Settings } from '../world/settings.ts';
import { NotStoredError } from '../world/tables.ts';
import type { WorldCore } from '../world/world.ts';
import {
  type Connection,
  ConnectionLost,
  type CreateResponse,
  type ReceivedCall,
  type ResponseParts,
} from './context.ts';
import { corsHeaders } from './cors.ts';
import { type Envelope, failure, okFrame, unknownRouteEnvelope } from './envelope.ts';
import { refusalAssumptions, UNSPECIFIED } from './failures.ts';
import { headerText } from './hints.ts';
import { NO_FIELDS } from './known-fields.ts';
import type { Operation } from './operation.ts';
import { ERROR_CODE_TYPE, HTTP_STATUS, refusal, shownProblems } from './refusals.ts';

/** Returns a function that returns a success: the data in its envelope, serialized once. */
export function createRespond({ envelope, assumptions: ids, role }: Operation) {
  const [before, after] = okFrame(envelope);
  const assumptions = ids.join(', ');
  const textOf = role === 'list' ? listText : JSON.stringify;
  return (call: ReceivedCall, data: object): Response => {
    countAssumptions(call.world, assumptions);
    call.assumptions = ids;
    return send(call, 200, assumptions, before + textOf(data) + after);
  };
}

/** Renders an error in the envelope of its call. */
export function renderRefusal(call: ReceivedCall, error: unknown): Response {
  // The owner of the connection handles its loss.
  if (error instanceof ConnectionLost) throw error;
  if (error instanceof DomainError) return respondError(call, error);
  // The merchant is not known if its World could not be opened, or if the clock returned no time.
  if (call.requestId === '') call.requestId = nextRequestId(call.env.merchants);
  const what = error instanceof Error ? error.message : String(error);
  if (error instanceof NotStoredError) return respondNotServed(call, 507, 'not_saved', what);
  if (error instanceof TimeSourceError) {
    call.env.connection.throwAtCaller?.(error);
    return respondNotServed(call, 500, 'defect', what);
  }
  const message = `The sandbox has a defect, please report it: ${what}`;
  return respondNotServed(call, 500, 'defect', message);
}

function respondError(call: ReceivedCall, error: DomainError): Response {
  const settings = settingsOf(call);
  const { operation } = call;
  const headers: Record<string, string> = {};
  if (error.code === 'unauthenticated') headers['www-authenticate'] = 'Bearer';
  if (error.code === 'method_not_allowed' && operation)
    headers.allow = methodsOf(operation).join(', ');
  const statuses = operation?.statuses ?? HTTP_STATUS.in(settings);
  const envelope = envelopeOf(call);
  const body = refusal(envelope, error, settings);
  const fields = operation?.fields ?? NO_FIELDS;
  call.problems = shownProblems(envelope, error);
  const assumptions = refusalAssumptions(envelope, error, fields);
  return sendFailure(call, statuses[error.code], body, assumptions, headers);
}

/** Returns that nothing was done, for a reason that the caller did not give. */
function respondNotServed(
  call: ReceivedCall,
  status: 500 | 507,
  rule: 'defect' | 'not_saved',
  message: string,
): Response {
  call.problems = [{ rule, message, assumptions: [] }];
  return sendFailure(call, status, ownFailure(call, status, message), UNSPECIFIED);
}

/** Returns a response in place of the operation, for a fault. Without a status, one that will be broken. */
export function respondInjected(call: ReceivedCall, status?: number): Response {
  const what = status === undefined ? 'break this answer' : `answer ${status}`;
  const message = `The sandbox was told to ${what}.`;
  const sent = status ?? 200;
  call.problems = [];
  return sendFailure(call, sent, ownFailure(call, sent, message), []);
}

/** The methods of requests to an operation. */
export const methodsOf = ({ method }: Operation): readonly string[] =>
  method === 'get' ? ['GET', 'HEAD'] : ['POST'];

const settingsOf = ({ world, env }: ReceivedCall): Settings => (world ?? env.merchants).settings;

const envelopeOf = ({ operation }: ReceivedCall): Envelope =>
  operation?.envelope ?? unknownRouteEnvelope;

/** The body of a failure that no rule caused. Its code is the status. */
function ownFailure(call: ReceivedCall, status: number, message: string): object {
  const envelope = envelopeOf(call);
  const { isInteger } = ERROR_CODE_TYPE.of(settingsOf(call));
  return failure(envelope, status, [message], isInteger(envelope));
}

function sendFailure(
  call: ReceivedCall,
  status: number,
  body: object,
  assumptions: readonly AssumptionId[],
  headers?: Record<string, string>,
): Response {
  call.assumptions = assumptions;
  // One by one, because refusals name many different lists.
  for (const id of assumptions) countAssumptions(call.world, id);
  return send(call, status, assumptions.join(', '), JSON.stringify(body), headers);
}

function send(
  call: ReceivedCall,
  status: number,
  assumptions: string,
  body: string,
  more?: Record<string, string>,
): Response {
  const { connection, cors } = call.env;
  // All of them here, so that the journal shows them and responses that a fault breaks have them too.
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'sandbox-request-id': call.requestId,
  };
  if (cors.length > 0) Object.assign(headers, corsHeaders(cors, call.req.header('origin')));
  if (more) Object.assign(headers, more);
  if (call.hint !== undefined) headers['sandbox-hint'] = headerText(call.hint);
  if (assumptions !== '') headers['sandbox-assumptions'] = assumptions;
  const parts = { status, headers, body: WITHOUT_BODY.has(status) ? null : body };
  call.response = parts;
  return toResponse(parts, connection);
}

function countAssumptions(world: WorldCore | undefined, list: string): void {
  if (list === '') return;
  world?.assumption_counts.set(list, (world.assumption_counts.get(list) ?? 0) + 1);
}

/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

const createPlatformResponse: CreateResponse = (text, init) => new Response(text, init);

export const toResponse = (
  { status, headers, body }: ResponseParts,
  { createResponse = createPlatformResponse }: Connection,
): Response => createResponse(body, { status, headers });

/*
 * Records never change in place, so the JSON of a list element is made once and cached with the record. Without the
 * cache, a page of a list takes 1.7 times as long.
 */

/** The size of the cache. Reading a whole World must not double its memory. */
const MAX_TEXTS_KEPT = 50_000;

let texts = new WeakMap<object, string>();
let kept = 0;

/** The JSON of a list, or of a page of one, as `paginate` returns it. */
function listText(data: object): string {
  if (Array.isArray(data)) return `[${data.map(elementText).join(',')}]`;
  const around = JSON.stringify({ ...data, data: [] });
  return around.replace('"data":[]', () => `"data":${listText(Reflect.get(data, 'data'))}`);
}

function elementText(element: object): string {
  let text = texts.get(element);
  if (text === undefined) {
    if (kept === MAX_TEXTS_KEPT) [texts, kept] = [new WeakMap(), 0];
    text = JSON.stringify(element);
    texts.set(element, text);
    kept += 1;
  }
  return text;
}

/** The streamed responses. */
export const liveResponses = new WeakSet<Response>();

/** Marks a streamed response. */
export function live(response: Response): Response {
  liveResponses.add(response);
  return response;
}
