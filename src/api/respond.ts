import type { Context, Input, TypedResponse } from 'hono';
import type { JSONParsed } from 'hono/utils/types';
import type { AssumptionId } from '../world/assumptions.ts';
import { type BodyText, joinBody } from '../world/body-text.ts';
import type { DomainError } from '../world/errors.ts';
import type { FaultEffect } from '../world/faults.ts';
import { inChunks } from '../world/json-pieces.ts';
import type { Settings } from '../world/settings.ts';
import type { WorldCore } from '../world/world.ts';
import type { Connection, MerchantContext, MerchantEnv, ResponseParts } from './context.ts';
import {
  type Envelope,
  failure,
  okFrame,
  type ResponseCode,
  type SuccessBody,
  unknownRouteEnvelope,
} from './envelope.ts';
import { isSpecified, refusal } from './failures.ts';
import type { Operation } from './operation.ts';
import { corsHeaders } from './origin.ts';
import { isPage, listText, pageText } from './page-text.ts';
import { streamText } from './streamed-response.ts';

type JsonResponse<Body> = Response & TypedResponse<JSONParsed<Body>, 200, 'json'>;

/** Answers a success: the data in its envelope, serialised once. */
export function respond<Code extends ResponseCode, Data, W extends WorldCore>(
  context: Context<MerchantEnv<W>, string, Input>,
  envelope: Envelope<Code>,
  data: Data,
): JsonResponse<SuccessBody<Code, Data>> {
  // What is sent is the same whatever else the World of a family holds.
  const c = context as unknown as MerchantContext;
  const { operationId } = c.get('call').operation as Operation;
  const message = c.get('world').settings.messages.success[operationId] ?? envelope.message;
  const [before, after] = okFrame(envelope, message);
  const pieces = isPage(data) ? pageText(data) : Array.isArray(data) ? listText(data) : undefined;
  const body = pieces ? [before, ...pieces, after] : before + JSON.stringify(data) + after;
  const response = send(c, 200, successAssumptions(c, data), body);
  return response as JsonResponse<SuccessBody<Code, Data>>;
}

/** Answers why a call was refused, in the envelope of the call. */
export function respondError(c: MerchantContext, error: DomainError): Response {
  const settings = settingsOf(c);
  const { operation } = c.get('call');
  const headers: Record<string, string> = {};
  if (error.code === 'unauthenticated') headers['www-authenticate'] = 'Bearer';
  if (error.code === 'method_not_allowed' && operation) headers.allow = allowOf(operation);
  const status = settings.statuses[error.code];
  const body = refusal(envelopeOf(c), error, settings);
  return sendFailure(c, status, body, failureAssumptions(c, error), headers);
}

/** Answers a bug of ours, in the envelope of the call. */
export function respondInternalError(c: MerchantContext, error: unknown): Response {
  const what = error instanceof Error ? error.message : String(error);
  return sendOwnFailure(c, 500, `The sandbox has a defect, please report it: ${what}`, REFUSED);
}

/** Answers that nothing was done: what a call changes could not be kept, or there was no moment for it. */
export function respondNotServed(
  c: MerchantContext,
  status: 500 | 507,
  { message }: Error,
): Response {
  const call = c.get('call');
  // An auto-merchant that could not be opened, or a call without a moment: nobody is known to call.
  if (call.requestId === '') call.requestId = c.env.merchants.nextAnonymousId();
  return sendOwnFailure(c, status, message, REFUSED);
}

/** Answers in the place of the service, where a fault keeps it from answering. */
export function respondInjected(c: MerchantContext, { kind, ...effect }: FaultEffect): Response {
  const status = 'status' in effect ? effect.status : 200;
  const what = kind === 'respond' ? `answer ${status}` : 'break this answer';
  return sendOwnFailure(c, status, `The sandbox was told to ${what}.`);
}

/** The methods an operation takes, as `Allow` lists them. */
export const allowOf = ({ method }: Operation): string => (method === 'get' ? 'GET, HEAD' : 'POST');

const settingsOf = (c: MerchantContext): Settings =>
  c.get('world')?.settings ?? c.env.merchants.settings;

const envelopeOf = (c: MerchantContext): Envelope =>
  c.get('call').operation?.envelope ?? unknownRouteEnvelope;

/** What no rule refused: the code in the body is the status. */
function sendOwnFailure(
  c: MerchantContext,
  status: number,
  message: string,
  assumptions: readonly AssumptionId[] = [],
): Response {
  const body = failure(envelopeOf(c), status, [message], settingsOf(c).errorCodeType);
  return sendFailure(c, status, body, listIds(assumptions));
}

function sendFailure(
  c: MerchantContext,
  status: number,
  body: object,
  assumptions: string,
  headers?: Record<string, string>,
): Response {
  return send(c, status, assumptions, JSON.stringify(body), headers);
}

function send(
  c: MerchantContext,
  status: number,
  assumptions: string,
  body: BodyText,
  more?: Record<string, string>,
): Response {
  const call = c.get('call');
  const { cors } = c.env.merchants;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'sandbox-request-id': call.requestId,
    ...(cors !== undefined && corsHeaders(cors)),
    ...more,
  };
  if (assumptions !== '') {
    headers['sandbox-assumptions'] = assumptions;
    countAssumptions(c.get('world'), assumptions);
  }
  const parts = { status, headers, body };
  call.response = parts;
  return toResponse(parts, c.env.connection);
}

function countAssumptions(world: WorldCore | undefined, list: string): void {
  world?.assumption_counts.set(list, (world.assumption_counts.get(list) ?? 0) + 1);
}

/** A list that is longer is written while it is sent: its readers share the texts of its elements. */
const MAX_JOINED_LENGTH = 256 * 1024;

function isLong(body: BodyText): body is readonly string[] {
  if (typeof body === 'string') return false;
  let length = 0;
  for (const piece of body) length += piece.length;
  return length > MAX_JOINED_LENGTH;
}

const WITHOUT_BODY = new Set([204, 205, 304]);

/** The body that leaves the sandbox: none where the status allows none. */
export const sentBody = ({ status, body }: ResponseParts): BodyText | null =>
  WITHOUT_BODY.has(status) ? null : body;

export function toResponse(parts: ResponseParts, { Response }: Connection): Response {
  const { status, headers } = parts;
  const body = sentBody(parts);
  if (body !== null && isLong(body)) return streamText(inChunks(body), { status, headers });
  const Made = Response ?? globalThis.Response;
  return new Made(body === null ? null : joinBody(body), { status, headers });
}

/** What successes rest on when nothing was noted of them, written once: by operation, or by its elements. */
const alwaysAssumed = new WeakMap<object, string>();

function successAssumptions(c: MerchantContext, data: unknown): string {
  const { operation, noted } = c.get('call');
  const { assumptions, elementAssumptions } = operation as Operation;
  const ofElements = elementAssumptions && hasElements(data) ? elementAssumptions : [];
  if (noted.length > 0) return listIds([...assumptions, ...ofElements, ...noted]);
  const key = ofElements.length > 0 ? ofElements : assumptions;
  let always = alwaysAssumed.get(key);
  if (always === undefined) {
    always = listIds([...assumptions, ...ofElements]);
    alwaysAssumed.set(key, always);
  }
  return always;
}

const hasElements = (data: unknown): boolean =>
  (isPage(data) ? data.data.length : (data as ArrayLike<unknown>).length) > 0;

/** What every failure rests on that the specification does not show. */
const REFUSED = ['error-envelope', 'error-code-type', 'http-status'] as const;

function failureAssumptions(c: MerchantContext, { code, assumptions }: DomainError): string {
  const { operation, noted } = c.get('call');
  return listIds([
    ...assumptions,
    ...noted,
    ...(operation && isSpecified(operation.envelope, code) ? ['http-status' as const] : REFUSED),
    ...(code === 'invalid' ? (['validation-messages'] as const) : []),
  ]);
}

const listIds = (ids: readonly AssumptionId[]): string => [...new Set(ids)].join(', ');
