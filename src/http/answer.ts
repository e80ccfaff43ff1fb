import type { AssumptionId } from '../core/assumptions.ts';
import type { DomainError } from '../core/errors.ts';
import type { FaultEffect } from '../core/faults.ts';
import type { WorldCore } from '../core/world.ts';
import { type Envelope, failure, successText, unknownRouteEnvelope } from './envelope.ts';
import type { Directory } from './merchant.ts';
import type { Operation } from './operation.ts';
import { isPage, pageText } from './page-text.ts';
import type { Answer } from './sending.ts';

/** What an answer needs to know of its call. */
export interface Answered {
  readonly world: WorldCore;
  /** Undefined where no operation has the path. */
  readonly operation: Operation | undefined;
  readonly requestId: string;
}

/** The data of an operation, in its envelope. */
export function successAnswer(
  call: Answered,
  operation: Operation,
  data: unknown,
  noted: readonly AssumptionId[],
): Answer {
  const message = call.world.settings.messages.success[operation.operationId] ?? operation.message;
  const text = isPage(data) ? pageText(data) : JSON.stringify(data);
  return {
    status: 200,
    headers: headersOf(call, successAssumptions(operation, data, noted)),
    body: successText(operation.envelope, text, message),
  };
}

/** Why a call was refused, in the envelope of the call. */
export function refusalAnswer(call: Answered, error: DomainError, allow?: string): Answer {
  const status = call.world.settings.statuses[error.code];
  const answer = failureAnswer(call, status, error.messages, failureAssumptions(call, error));
  if (allow !== undefined) answer.headers.allow = allow;
  return answer;
}

/** A bug of ours, said in the envelope of the call. */
export function defectAnswer(call: Answered, error: unknown): Answer {
  const what = error instanceof Error ? error.message : String(error);
  return failureAnswer(call, 500, [`The sandbox has a defect, please report it: ${what}`], '');
}

/** The answer that stands in where a fault keeps the service from making one. */
export function standInAnswer(call: Answered, { kind, ...effect }: FaultEffect): Answer {
  const status = 'status' in effect ? effect.status : 200;
  const what = kind === 'respond' ? `answer ${status}` : 'break this answer';
  return failureAnswer(call, status, [`The sandbox was told to ${what}.`], '');
}

function failureAnswer(
  call: Answered,
  status: number,
  messages: readonly string[],
  assumptions: string,
): Answer {
  const envelope = call.operation?.envelope ?? unknownRouteEnvelope;
  return {
    status,
    headers: headersOf(call, assumptions),
    body: JSON.stringify(failure(envelope, status, messages, call.world.settings.errorCodeType)),
  };
}

/** The answer to a caller without a World (`auth-failure`). */
export function unauthenticatedAnswer(
  { settings, nextStrangerId }: Directory,
  envelope: Envelope = unknownRouteEnvelope,
): Answer {
  const status = settings.statuses.unauthenticated;
  const messages = [settings.messages.unauthenticated];
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'sandbox-request-id': nextStrangerId(),
      'sandbox-assumptions': 'auth-failure, error-envelope, error-code-type, http-status',
      'www-authenticate': 'Bearer',
    },
    body: JSON.stringify(failure(envelope, status, messages, settings.errorCodeType)),
  };
}

function headersOf({ world, requestId }: Answered, assumptions: string): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'sandbox-request-id': requestId,
  };
  if (assumptions !== '') {
    headers['sandbox-assumptions'] = assumptions;
    world.assumed.set(assumptions, (world.assumed.get(assumptions) ?? 0) + 1);
  }
  return headers;
}

/** What answers rest on when nothing was noted of them, written once: by operation, or by its elements. */
const alwaysAssumed = new WeakMap<object, string>();

function successAssumptions(
  operation: Operation,
  data: unknown,
  noted: readonly AssumptionId[],
): string {
  const { assumptions, elementAssumptions } = operation;
  const ofElements = elementAssumptions && hasElements(data) ? elementAssumptions : [];
  if (noted.length > 0) return list([...assumptions, ...ofElements, ...noted]);
  const key = ofElements.length > 0 ? ofElements : operation;
  let always = alwaysAssumed.get(key);
  if (always === undefined) {
    always = list([...assumptions, ...ofElements]);
    alwaysAssumed.set(key, always);
  }
  return always;
}

const hasElements = (data: unknown): boolean =>
  (isPage(data) ? data.data.length : (data as ArrayLike<unknown>).length) > 0;

function failureAssumptions({ operation }: Answered, { code, assumptions }: DomainError): string {
  // The one failure that the contract shows whole (specification "Errors").
  const isShown = code === 'token_expired' && operation?.envelope.integerCode;
  return list([
    ...assumptions,
    ...(isShown ? [] : (['error-envelope', 'error-code-type'] as const)),
    'http-status',
    ...(code === 'invalid' ? (['validation-messages'] as const) : []),
  ]);
}

const list = (ids: readonly AssumptionId[]): string => [...new Set(ids)].join(', ');
