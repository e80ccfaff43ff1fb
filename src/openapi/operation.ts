import type { AssumptionId } from '../core/assumptions.ts';
import { contract } from '../core/schema.ts';
import { failureComponentOf, successComponent } from '../http/answer-schemas.ts';
import { success } from '../http/envelope.ts';
import type { Operation } from '../http/operation.ts';
import { exampleOf } from './examples.ts';
import { type RefusedStatus, refusalAssumptions, refusedStatuses } from './refusals.ts';
import { type Json, refTo, writeSchema } from './schemas.ts';

/** Where a sandbox stands unless it is told otherwise. */
export const SERVER = 'http://127.0.0.1:4015';

const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` });
const ANSWER_HEADERS = {
  'Sandbox-Request-Id': header('RequestId'),
  'Sandbox-Assumptions': header('Assumptions'),
};

/** The path of an operation as a document writes it. */
export const documentPath = (operation: Operation): string =>
  operation.path.replace(/:(\w+)/g, '{$1}');

/** An operation as a document describes it; `edit` gives schemas the form of its edition. */
export function writeOperation(operation: Operation, edit: (schema: Json) => Json): Json {
  const { operationId, summary, description, tag, request } = operation;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(request && request.in !== 'body' && { parameters: writeParameters(request, edit) }),
    ...(request?.in === 'body' && { requestBody: writeBody(request) }),
    responses: {
      200: writeSuccess(operation),
      ...Object.fromEntries(
        refusedStatuses(operation).map((refused) => [
          refused.status,
          writeRefusal(operation, refused),
        ]),
      ),
    },
    'x-assumptions': distinct([
      ...operation.assumptions,
      ...(operation.elementAssumptions ?? []),
      ...(request?.requiredBy ?? []),
      ...refusalAssumptions(operation),
    ]),
  };
}

type Request = NonNullable<Operation['request']>;

function writeBody({ schema }: Request): Json {
  return {
    required: true,
    content: {
      'application/json': {
        schema: refTo(schema),
        example: contract.get(schema())?.examples?.[0],
      },
    },
  };
}

function writeParameters(request: Request, edit: (schema: Json) => Json): Json[] {
  return Object.entries(request.schema().shape).map(([name, field]) => {
    const { schema } = writeSchema(field, 'input');
    const { description, examples, 'x-assumptions': assumptions, ...form } = schema;
    if (form.format === 'date') {
      // Some generated clients write a date in a query with a time of day; a text stays as it is.
      delete form.format;
      form.pattern = '^\\d{4}-\\d{2}-\\d{2}$';
    }
    return {
      name,
      in: request.in === 'params' ? 'path' : 'query',
      required: request.in === 'params',
      description,
      schema: edit(form),
      ...(Array.isArray(examples) && { example: examples[0] }),
      ...(assumptions !== undefined && { 'x-assumptions': assumptions }),
    };
  });
}

function writeSuccess(operation: Operation): Json {
  const { envelope, data, message } = operation;
  const address = `${SERVER}${operation.path}`;
  return {
    description: `${message}.`,
    headers: ANSWER_HEADERS,
    content: {
      'application/json': {
        schema: refTo(successComponent(operation)),
        example: success(envelope, exampleOf(data(), address), message),
      },
    },
  };
}

function writeRefusal(
  { envelope }: Operation,
  { status, description, examples }: RefusedStatus,
): Json {
  return {
    description,
    headers:
      status === 401
        ? { ...ANSWER_HEADERS, 'WWW-Authenticate': header('Authenticate') }
        : ANSWER_HEADERS,
    content: { 'application/json': { schema: refTo(failureComponentOf(envelope)), examples } },
  };
}

const distinct = (ids: readonly AssumptionId[]): AssumptionId[] => [...new Set(ids)];
