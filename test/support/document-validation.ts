import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { documentPath } from '../../src/openapi/merchant.ts';
import { operationOf } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read freely
type Any = any;

/** Returns the problems of a response body under the document. */
export type ValidateAnswer = (operationId: string, status: number, body: unknown) => string[];

/**
 * Validates responses against a document of either edition. A field that the document does not describe is a problem.
 */
export function answerValidator(document: Any): ValidateAnswer {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv, ['date', 'date-time', 'email', 'uri', 'int64']);
  ajv.addSchema(toClosed2020(document) as object, 'document');
  const compiled = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#/${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
  return (operationId, status, body) => {
    const response = responseOf(document, operationId, status);
    if (!response) return [`${operationId} answers ${status}, which the document does not declare`];
    const { path, method } = operationOf(operationId);
    const keys = ['paths', documentPath(path), method, 'responses', status, 'content'];
    const pointer = [...keys, 'application/json', 'schema'].map(escapeKey).join('/');
    const validate = validatorAt(pointer);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${operationId} ${status} ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** The response of an operation with a status in a document. */
export function responseOf(document: Any, operationId: string, status: number): Any {
  const { path, method } = operationOf(operationId);
  return document.paths[documentPath(path)]?.[method]?.responses[status];
}

const escapeKey = (key: unknown): string =>
  encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1'));

/** Converts the schemas of a document to current JSON Schema, without additional properties. Examples stay as they are. */
function toClosed2020(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toClosed2020);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, example, examples, ...schema } = value as Record<string, Any>;
  const closed = Object.fromEntries(
    Object.entries(schema).map(([key, each]) => [key, toClosed2020(each)]),
  );
  if (schema.type === 'object' && schema.properties) closed.additionalProperties = false;
  if (nullable === true) closed.type = [schema.type, 'null'];
  if (schema.exclusiveMinimum === true) {
    closed.exclusiveMinimum = schema.minimum;
    delete closed.minimum;
  }
  return closed;
}
