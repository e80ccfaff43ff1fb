import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { responseIn } from '../../src/openapi/document.ts';
import { documentPath } from '../../src/openapi/operation-route.ts';
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
  ajv.addSchema(to2020(document, 'closed') as object, 'document');
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
    const keys = ['paths', documentPath(path), method, 'responses', status].map(escapeKey);
    const { $ref = `#/${keys.join('/')}` } =
      document.paths[documentPath(path)][method].responses[status];
    const validate = validatorAt(
      `${$ref.slice(2)}/content/${escapeKey('application/json')}/schema`,
    );
    if (validate(body)) return [];
    return (validate.errors ?? [])
      .filter((error) => !(document.openapi.startsWith('3.0') && isOtherType(error)))
      .map(
        ({ instancePath, message, params }) =>
          `${operationId} ${status} ${instancePath} ${message} ${JSON.stringify(params)}`,
      );
  };
}

/** Fields with several types: the 3.0 edition names the one of their example, and a response may have another. */
const isOtherType = ({ keyword, instancePath }: ErrorObject): boolean =>
  keyword === 'type' && /\/(duration|response_code)$/.test(instancePath);

/** The response of an operation with a status in a document. */
export function responseOf(document: Any, operationId: string, status: number): Any {
  const { path, method } = operationOf(operationId);
  const response = document.paths[documentPath(path)]?.[method]?.responses[status];
  return response && responseIn(document, response);
}

const escapeKey = (key: unknown): string =>
  encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1'));

/** Returns the problems of a request body under a named schema of the document, of either edition. */
export function requestValidator(document: Any): (name: string, body: unknown) => unknown[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv, ['date', 'date-time', 'email', 'uri', 'int64']);
  ajv.addSchema(to2020(document, 'open') as object, 'document');
  return (name, body) => {
    const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` });
    return validate(body) ? [] : (validate.errors ?? []);
  };
}

/** Converts the schemas of a document to current JSON Schema. If they are closed, they allow no additional properties. */
function to2020(value: unknown, form: 'closed' | 'open'): unknown {
  if (Array.isArray(value)) return value.map((each) => to2020(each, form));
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, example, examples, ...schema } = value as Record<string, Any>;
  const converted = Object.fromEntries(
    Object.entries(schema).map(([key, each]) => [key, to2020(each, form)]),
  );
  if (form === 'closed' && schema.type === 'object' && schema.properties) {
    converted.additionalProperties = false;
  }
  if (nullable === true) converted.type = [schema.type, 'null'];
  if (schema.exclusiveMinimum === true) {
    converted.exclusiveMinimum = schema.minimum;
    delete converted.minimum;
  }
  return converted;
}
