/* The route of an operation in documents: its responses, with the words and an example for each refusal. */

import { createRoute, type RouteConfig, z } from '@hono/zod-openapi';
import { ok } from '../api/envelope.ts';
import { type DeclaredError, failureAssumptions } from '../api/failures.ts';
import type { Operation } from '../api/operation.ts';
import { ERROR_ENVELOPE, messageOf, type Refusal, refusal } from '../api/refusals.ts';
import { NOT_JSON, type RouteRequest } from '../api/request.ts';
import { fieldError, refused } from '../world/errors.ts';
import { MAX_PAGE_SIZE } from '../world/limits.ts';
import type { Settings } from '../world/settings.ts';
import { usedTokenCode } from '../world/tokens.ts';

/** A path in the syntax of OpenAPI. */
export const documentPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

/** The route of an operation, with this data in the example of its success. */
export function routeOf(operation: Operation, exampleData: unknown): RouteConfig {
  const { operationId, summary, description, method, path, tag, request } = operation;
  const assumptions = [...operation.assumptions, ...failureAssumptions(operation.errors)];
  return createRoute({
    operationId,
    summary,
    description,
    method,
    path: documentPath(path),
    tags: [tag],
    request,
    responses: responsesOf(operation, exampleData),
    'x-assumptions': [...new Set(assumptions)],
  });
}

const HEADERS = {
  'Sandbox-Request-Id': { $ref: '#/components/headers/RequestId' },
};

const HEADERS_401 = {
  ...HEADERS,
  'WWW-Authenticate': { $ref: '#/components/headers/Authenticate' },
};

function responsesOf(operation: Operation, exampleData: unknown): RouteConfig['responses'] {
  const { operationId, envelope, settings } = operation;
  const schema = operation.success.meta({
    description: `Success response of \`${operationId}\`.`,
  });
  const success = {
    description: `${envelope.message}.`,
    schema,
    example: ok(envelope, exampleData),
  };
  const { 200: refused, ...others } = failureResponses(operation);
  return {
    200: refused ? eitherResponse(success, refused, settings) : onlySuccess(success),
    ...others,
  };
}

interface Success {
  readonly description: string;
  readonly schema: z.ZodObject;
  readonly example: object;
}
type Refused = ReturnType<typeof failureResponses>[number];

const onlySuccess = ({ description, schema, example }: Success) => ({
  description,
  headers: HEADERS,
  content: { 'application/json': { schema, example } },
});

/** Under a profile a failure may have status 200. Then only the body tells it from a success. */
function eitherResponse(
  success: Success,
  { description, headers, content }: Refused,
  settings: Settings,
) {
  const { schema, examples } = content['application/json'];
  const { refusedIf } = ERROR_ENVELOPE.of(settings);
  return {
    description: `${success.description} If ${refusedIf}: ${description}`,
    headers,
    content: {
      'application/json': {
        schema: z
          .union([success.schema, schema])
          .meta({ description: 'Check `success` to tell the two forms apart.' }),
        examples: { success: { summary: 'Success', value: success.example }, ...examples },
      },
    },
  };
}

/** How documents describe a failure, and its message where the rules have only one and no profile sets it. */
const FAILURES: Readonly<Record<DeclaredError, { summary: string; message?: string }>> = {
  malformed: { summary: 'The body is not valid JSON', message: NOT_JSON },
  token_unknown: { summary: 'The token is unknown' },
  token_expired: { summary: 'The token has expired' },
  token_used: { summary: 'The token was used before' },
  unauthenticated: { summary: 'The API key is missing or unknown' },
  policy_unknown: {
    summary: 'The merchant has no policy with this number',
    message: 'The policy was not found.',
  },
  too_large: {
    summary: 'The body is larger than 1 MiB',
    message: 'The request body must not be larger than 1 MiB.',
  },
  unsupported_media_type: {
    summary: 'The Content-Type is not application/json',
    message: 'The Content-Type header must be application/json.',
  },
  invalid: { summary: 'A field is missing or invalid' },
};

/** An example of a refusal. */
function exampleOf(code: DeclaredError, { settings, request }: Operation): Refusal {
  if (code !== 'invalid') {
    return refused(code, messageOf(code, settings) ?? FAILURES[code].message ?? '');
  }
  const problem = request.query
    ? fieldError('per_page', 'range', `must be a whole number from 1 to ${MAX_PAGE_SIZE}.`)
    : fieldError(firstField(request), 'required', 'is required.');
  return { code, problems: [problem] };
}

const firstField = ({ body }: RouteRequest): string =>
  Object.keys(body?.content['application/json'].schema.shape ?? {})[0] ?? '';

/** The failures of an operation by HTTP status. */
export function failureResponses(
  operation: Operation,
): Readonly<Record<number, ReturnType<typeof failureResponse>>> {
  const { settings, statuses } = operation;
  const byStatus = new Map<number, DeclaredError[]>();
  for (const code of operation.errors) {
    // Under a profile a used token may fail as an expired or unknown one.
    if (code === 'token_used' && usedTokenCode(settings) !== code) continue;
    byStatus.set(statuses[code], [...(byStatus.get(statuses[code]) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [status, failureResponse(operation, codes)]),
  );
}

function failureResponse(operation: Operation, codes: readonly DeclaredError[]) {
  const { settings, envelope } = operation;
  return {
    description: `${oneOf(codes.map((code) => summaryOf(code, settings)))}.`,
    headers: codes.includes('unauthenticated') ? HEADERS_401 : HEADERS,
    content: {
      'application/json': {
        schema: schemaOfAll(operation, codes),
        examples: Object.fromEntries(
          codes.map((code) => {
            const value = refusal(envelope, exampleOf(code, operation), settings);
            return [code, { summary: summaryOf(code, settings), value }];
          }),
        ),
      },
    },
  };
}

/** The body of a failure for any of these reasons. Under a profile they may have several forms. */
function schemaOfAll(operation: Operation, codes: readonly DeclaredError[]): z.ZodType {
  const schemas = [...new Set(codes.map((code) => operation.failure(code)))];
  const [first, second, ...others] = schemas as [z.ZodObject, ...z.ZodObject[]];
  return second ? z.union([first, second, ...others]) : first;
}

/** "A, b or c": summaries as one sentence. */
function oneOf([first = '', ...others]: readonly string[]): string {
  const last = others.pop();
  if (last === undefined) return first;
  const lowered = (summary: string) => summary.charAt(0).toLowerCase() + summary.slice(1);
  return `${[first, ...others.map(lowered)].join(', ')}, or ${lowered(last)}`;
}

function summaryOf(code: DeclaredError, settings: Settings): string {
  const { summary } = FAILURES[code];
  const isForUsed = code !== 'token_used' && code === usedTokenCode(settings);
  return isForUsed ? `${summary} or was used before` : summary;
}
