import type { AssumptionId } from '../../core/assumptions.ts';
import {
  DomainError,
  type ErrorCode,
  type FieldError,
  fieldError,
  type Malformed,
} from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { isJson, MAX_BODY_BYTES, parseJson, stripEmpty, trimTexts } from '../../http/body.ts';
import { bearerKey } from '../../http/merchant.ts';
import type { Operation, RuleScope } from '../../http/operation.ts';
import { assumptionsOf } from '../../http/request-fields.ts';
import { validateFields } from '../../http/validation.ts';
import type { Json } from '../assertions.ts';
import { requiredFields } from '../contract.ts';
import { type Exchange, headersOf, type KnownCall, queryOf } from './exchange.ts';

/** What the contract says of a request, whatever the service sells and remembers. */
export interface ReadRequest {
  /** Why the contract refuses it. */
  readonly refused?: ErrorCode;
  /** What is wrong with its fields, in order. */
  readonly errors: readonly FieldError[];
  /** The assumptions that say it is refused. */
  readonly assumptions: readonly AssumptionId[];
  /** What the operation reads from it; undefined where that is not known. */
  readonly sent: Json | undefined;
  /** The same where white space around texts is kept (`text-trim`). */
  readonly untrimmed: Json | undefined;
}

const refused = (code: ErrorCode, ...assumptions: readonly AssumptionId[]): ReadRequest => ({
  refused: code,
  errors: [],
  assumptions,
  sent: undefined,
  untrimmed: undefined,
});

const reads = (sent: Json, untrimmed = sent): ReadRequest => ({
  errors: [],
  assumptions: [],
  sent,
  untrimmed,
});

/** Reads a request as the service should, and refuses it in the same order. */
export function readRequest(
  exchange: Exchange,
  { operation, params }: KnownCall,
  settings: Settings,
): ReadRequest {
  const headers = headersOf(exchange.headers);
  if (bearerKey(headers.get('authorization') ?? undefined) === undefined) {
    return refused('unauthenticated', 'auth-failure');
  }
  const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
  if (method !== operation.method.toUpperCase()) {
    return refused('method_not_allowed', 'http-status', 'unknown-route');
  }
  if (!operation.request.body) {
    return readFields(operation, fieldsOf(exchange, operation, params), settings);
  }
  if (!isJson(headers.get('content-type'))) return refused('unsupported_media_type', 'http-status');
  if (exchange.sentBytes > MAX_BODY_BYTES) return refused('too_large', 'http-status');
  if (exchange.sent === undefined) return reads(undefined);
  try {
    return readFields(operation, parseJson(textOf(exchange.sent)), settings);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return refused(error.code, ...error.assumptions);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new DomainError('malformed', ['The body is not UTF-8.'], ['encoding']);
  }
}

/** What a path carries is taken as it is; of a field that a query names twice the first counts. */
function fieldsOf({ target }: Exchange, { request }: Operation, params: Json): Json {
  if (request.params) return params;
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(queryOf(target))) fields[name] ??= value;
  return fields;
}

function readFields(operation: Operation, raw: unknown, settings: Settings): ReadRequest {
  const { input: schema, request, requiredBy } = operation;
  if (!schema) return reads({});
  const given = settings.textTrim === 'trim' ? trimTexts(raw) : raw;
  const fields = request.params ? given : stripEmpty(given);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    return refused('invalid', 'request-body');
  }
  const parsed = schema.safeParse(fields);
  const judge = ruleOf(operation);
  const errors = [
    ...validateFields(schema.shape, fields as Json, judge, requiredBy).errors,
    ...missingSpellings(operation, fields),
  ];
  if (errors.length === 0) {
    const counted = countedFields(operation, parsed.data);
    const untrimmed = given === raw ? parsed.data : schema.safeParse(stripEmpty(raw)).data;
    return reads(counted(parsed.data), counted(untrimmed));
  }
  const assumptions = errors.flatMap((error) => error.assumptions ?? []);
  return { ...refused('invalid', ...assumptions), errors };
}

/** Whether the fields of an operation are several spellings of one. */
const hasSpellings = ({ input }: Operation): boolean => Array.isArray(input?.meta()?.required);

/** The fields that are read of those that were sent: of several spellings of one, the first that is there. */
function countedFields(operation: Operation, sent: Json): (fields: Json | undefined) => Json {
  if (!hasSpellings(operation)) return (fields) => fields;
  const names = Object.keys(operation.input?.shape ?? {});
  const spelling = names.find((name) => sent[name] !== undefined) as string;
  return (fields) => ({ [spelling]: fields?.[spelling] });
}

/** Of several spellings of one field only the document says that one of them is required. */
function missingSpellings(operation: Operation, fields: object): FieldError[] {
  const { input } = operation;
  if (!input || !hasSpellings(operation)) return [];
  if (Object.keys(input.shape).some((field) => Object.hasOwn(fields, field))) return [];
  return requiredFields(operation).map((field) =>
    fieldError(field, 'is required.', ...assumptionsOf(input)),
  );
}

/** The rule of a list looks at its query alone; those of other calls look at what the service remembers. */
const NO_SCOPE = {} as RuleScope;

const ruleOf =
  ({ request, check }: Operation) =>
  (input: Json, malformed: Malformed): readonly FieldError[] =>
    (request.query && check?.(NO_SCOPE, input, malformed)) || [];
