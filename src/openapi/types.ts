/*
 * Writes the TypeScript types of an OpenAPI 3.1 document: its named schemas and its calls. `openapi-typescript` cannot:
 * callers may pass `undefined` under `exactOptionalPropertyTypes`, and profiles have no OpenAPI document.
 */

import { type Document, type Message, nameIn, responseIn } from './document.ts';
import { mapValues } from './schemas.ts';

const MAX_COLUMNS = 100;

/** The parts of a published schema that matter for types. */
interface PublishedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly PublishedSchema[];
  readonly oneOf?: readonly PublishedSchema[];
  readonly items?: PublishedSchema;
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly additionalProperties?: PublishedSchema;
  readonly required?: readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly 'x-assumptions'?: readonly string[];
}

type DocumentedOperation = Document['paths'][string][string];

/** How types differ from the document. */
export interface TypeOptions {
  /** The names of types that are not those of their schemas. */
  readonly names?: Readonly<Record<string, string>>;
  /** Unions that are written as their name, by name. */
  readonly unions?: Readonly<Record<string, readonly string[]>>;
  /** Whether texts and numbers of few values may have any: what TypeScript reads of a JSON file has no narrower type. */
  readonly isOpen?: boolean;
}

/** The types of a document: of its named schemas, and of its calls. Throws if it has no type for a schema. */
export function createTypeWriter(
  document: Document,
  { names = {}, unions = {}, isOpen = false }: TypeOptions = {},
) {
  const schemas = document.components.schemas as Readonly<Record<string, PublishedSchema>>;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) =>
        [`${method.toUpperCase()} ${path}`, withResponses(document, operation)] as const,
    ),
  );

  return {
    /** One type for each named schema. */
    schemas: (): string[] =>
      Object.entries(schemas).map(([name, schema]) => lines(...namedType(name, schema))),
    /** An interface with what each call takes and returns. A call whose responses are no JSON is left out. */
    calls: (name: string, description: string, parts: (call: Call) => CallParts): string =>
      lines(
        ...comment(description, ''),
        `export interface ${name} {`,
        ...operations
          .filter(([, { responses }]) => hasJson(responses))
          .flatMap(([route, operation]) => callType(parts(callOf(route, operation)))),
        '}',
      ),
  };

  function namedType(schemaName: string, schema: PublishedSchema): string[] {
    const name = names[schemaName] ?? schemaName;
    const head = comment(textOf(schema, undefined), '');
    const type = typeOf(schema, '');
    const declared = schema.properties
      ? [`interface ${name} ${type}`]
      : typeAlias(name, type.split(' | '));
    return [...head, ...exportedLines(declared)];
  }

  function callOf(route: string, operation: DocumentedOperation): Call {
    const { requestBody, responses, parameters = [] } = operation;
    const within = (part: string): string => {
      const found = parameters.filter((parameter) => parameter.in === part);
      if (found.length === 0) return 'undefined';
      const properties = found.map(({ name, schema, example, required: _, ...meta }) => [
        name,
        { ...schema, ...meta, examples: [example] },
      ]);
      const required = found.filter((each) => each.required === true).map(({ name }) => `${name}`);
      return objectType({ properties: Object.fromEntries(properties), required }, '    ');
    };
    const { 200: done, 201: created, 204: noContent, ...failures } = responses;
    const success = done ?? created ?? noContent;
    const body = bodyType(requestBody);
    return {
      route,
      operation,
      body: requestBody?.required === false ? `${body} | undefined` : body,
      query: within('query'),
      params: within('path'),
      response: bodyType(success),
      failure: [...new Set(Object.values(failures).map(bodyType))].join(' | '),
    };
  }

  function bodyType(message: Message | undefined): string {
    const schema = message?.content?.['application/json']?.schema;
    return schema === undefined ? 'undefined' : typeOf(schema as PublishedSchema, '    ');
  }

  function fieldType(name: string, isRequired: boolean, field: PublishedSchema, indent: string) {
    const referred = field.$ref === undefined ? undefined : schemas[nameIn(field.$ref)];
    const type = typeOf(field, indent);
    // Code may pass undefined for missing fields, also under `exactOptionalPropertyTypes`.
    const optional = type === 'unknown' ? type : `${type} | undefined`;
    const key = /^[\w$]+$/.test(name) ? name : literal(name);
    const declared = isRequired ? `${key}: ${type}` : `${key}?: ${optional}`;
    return [...comment(textOf(field, referred), indent), `${indent}${declared};`];
  }

  function typeOf(schema: PublishedSchema, indent: string): string {
    const { $ref, anyOf, oneOf, type, items } = schema;
    if ($ref !== undefined) return names[nameIn($ref)] ?? nameIn($ref);
    const values = schema.const === undefined ? schema.enum : [schema.const];
    if (values && isOpen) return unionType(openValues(values));
    if (values) return unionType(values.map(literal));
    const options = anyOf ?? oneOf;
    if (options) return unionType(options.map((each) => typeOf(each, indent)));
    if (Array.isArray(type)) {
      return unionType(type.map((each) => typeOf({ ...schema, type: each }, indent)));
    }
    if (type === 'array' && items) {
      const element = typeOf(items, indent);
      return isUnion(element) ? `(${element})[]` : `${element}[]`;
    }
    if (schema.properties) return objectType(schema, indent);
    if (type === 'object') {
      return `Record<string, ${typeOf(schema.additionalProperties ?? {}, indent)}>`;
    }
    if (type === undefined) return 'unknown';
    const simple = SIMPLE[type as keyof typeof SIMPLE];
    if (simple === undefined) throw new Error(`No type is known for ${JSON.stringify(schema)}`);
    return simple;
  }

  function objectType({ properties = {}, required = [] }: PublishedSchema, indent: string): string {
    const fields = Object.entries(properties).flatMap(([name, field]) =>
      fieldType(name, required.includes(name), field, `${indent}  `),
    );
    return ['{', ...fields, `${indent}}`].join('\n');
  }

  function unionType(members: readonly string[]): string {
    const text = [...new Set(members)].join(' | ');
    const named = Object.entries(unions).find(([, each]) => each.map(literal).join(' | ') === text);
    return named?.[0] ?? text;
  }
}

/** An operation with its responses instead of references to them. */
const withResponses = (
  document: Document,
  operation: DocumentedOperation,
): DocumentedOperation => ({
  ...operation,
  responses: mapValues(operation.responses, (each) => responseIn(document, each)),
});

/** A call of a document, with the types of its parts. */
interface Call {
  /** Its method and path. */
  readonly route: string;
  readonly operation: DocumentedOperation;
  readonly body: string;
  readonly query: string;
  readonly params: string;
  readonly response: string;
  readonly failure: string;
}

/** What an interface of calls says of one. */
interface CallParts {
  readonly name: string;
  readonly description: string;
  readonly types: Readonly<Record<string, string>>;
}

const callType = ({ name, description, types }: CallParts): string[] => [
  ...comment(description, '  '),
  `  ${name}: {`,
  ...Object.entries(types).map(([part, type]) => `    ${part}: ${type};`),
  '  };',
];

const hasJson = (responses: DocumentedOperation['responses']): boolean =>
  Object.entries(responses).every(
    ([status, { content }]) =>
      Number(status) >= 300 || content === undefined || 'application/json' in content,
  );

/** A union whose members are not inside an object. */
const isUnion = (type: string): boolean => type.includes(' | ') && !type.startsWith('{');

/** A named union of texts. */
export const namedUnion = (name: string, description: string, members: readonly string[]): string =>
  lines(...comment(description, ''), ...exportedLines(typeAlias(name, members.map(literal))));

const exportedLines = ([first = '', ...others]: readonly string[]) => [
  `export ${first}`,
  ...others,
];

/** A type with a name, on one line if it fits. */
function typeAlias(name: string, members: readonly string[]): string[] {
  const short = `type ${name} = ${members.join(' | ')};`;
  if (`export ${short}`.length <= MAX_COLUMNS) return [short];
  const options = members.map((member) => `  | ${member}`);
  return [`type ${name} =`, ...options.slice(0, -1), `${options.at(-1)};`];
}

export const lines = (...parts: readonly string[]): string => `${parts.join('\n')}\n`;

const SIMPLE = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
} as const;

/** These values for completion, and all others of their types. */
function openValues(values: readonly unknown[]): string[] {
  const types = new Set(values.map((value) => typeof value));
  if (types.has('boolean')) return ['boolean'];
  const others = [...types].map((type) => `(${type} & {})`);
  return [...values.map(literal), ...others];
}

/** A value as TypeScript writes it. */
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value);

/** The description of a schema, with what its type does not say. */
function textOf(schema: PublishedSchema, referred: PublishedSchema | undefined): string {
  const { format, examples = [], 'x-assumptions': assumptions = [] } = schema;
  const description = schema.description ?? referred?.description ?? '';
  const [example] = examples;
  const form = FORMS.find((each) => each.format === format && !each.said.test(description));
  const isShort = typeof example === 'string' || typeof example === 'number';
  return [
    description,
    !isShort && form ? form.says : '',
    isShort && !description.includes(String(example)) ? `Example: \`${literal(example)}\`.` : '',
    assumptions.length > 0 ? `Assumptions: ${assumptions.join(', ')}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Formats of texts, shown if neither description nor example does. */
const FORMS = [
  { format: 'date', says: 'Y-m-d.', said: /Y-m-d/ },
  { format: 'date-time', says: 'As `2026-01-31T10:00:57.000000Z`.', said: /\d{4}-/ },
];

/** A doc comment, on one line if it fits. */
export function comment(text: string, indent: string): string[] {
  const safe = text.replaceAll('*/', '*\\/');
  if (safe === '') return [];
  const line = `${indent}/** ${safe} */`;
  if (line.length <= MAX_COLUMNS) return [line];
  const width = MAX_COLUMNS - `${indent} * `.length;
  const lines = safe.match(new RegExp(`(?:.{1,${width}}|\\S+)(?= |$)`, 'g')) ?? [];
  return [`${indent}/**`, ...lines.map((each) => `${indent} * ${each.trim()}`), `${indent} */`];
}
