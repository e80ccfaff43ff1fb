import type { Document } from './document.ts';
import type { Json } from './normalize-schema.ts';

const HEADER = `/*
 * Written by \`npm run docs\` from the published document, openapi/merchant-api.json. To change something here,
 * change the schemas of the routes.
 *
 * What the merchant API takes and answers unless a profile says otherwise. An id behind "Assumptions" names a
 * decision of docs/decisions.md that a field rests on.
 */`;

const MAX_COLUMNS = 100;

/** A schema of a published document, as far as types say it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly 'x-assumptions'?: readonly string[];
}

type Schemas = Readonly<Record<string, Schema>>;

/**
 * The TypeScript of a published document of OpenAPI 3.1: a type for each named schema, `Operations`, and the
 * names of operations and of families. Throws if a schema has a form that it knows no type for.
 */
export function wireTypes({ components, paths }: Document, families: readonly string[]): string {
  const schemas = components.schemas as Schemas;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return [
    HEADER,
    ...Object.entries(schemas).map(([name, schema]) => namedType(name, schema, schemas)),
    [
      '/** Every call of the merchant API by its operationId: what it takes, and what it answers. */',
      'export interface Operations {',
      ...operations.flatMap((each) => operationType(each, schemas)),
      '}',
    ],
    union(
      'OperationId',
      'The name of a call, as faults and the journal know it.',
      operations.map(({ operation }) => String(operation.operationId)),
    ),
    union('Family', 'A product family.', families),
  ]
    .map((part) => `${[part].flat().join('\n')}\n`)
    .join('\n');
}

function namedType(name: string, schema: Schema, schemas: Schemas): string[] {
  const head = comment(textOf(schema, undefined), '');
  if (!schema.properties) return [...head, `export type ${name} = ${typeOf(schema)};`];
  return [...head, `export interface ${name} {`, ...fieldsOf(schema, schemas, '  '), '}'];
}

function union(name: string, description: string, members: readonly string[]): string[] {
  const lines = members.map((member) => `  | ${literal(member)}`);
  const short = `export type ${name} = ${members.map(literal).join(' | ')};`;
  const long = [`export type ${name} =`, ...lines.slice(0, -1), `${lines.at(-1)};`];
  return [...comment(description, ''), ...(short.length > MAX_COLUMNS ? long : [short])];
}

interface Call {
  readonly path: string;
  readonly method: string;
  readonly operation: Document['paths'][string][string];
}

/** One operation: its summary, and a type for each part of a call, `undefined` where it has none. */
function operationType({ path, method, operation }: Call, schemas: Schemas): string[] {
  const { operationId, summary, description, requestBody, responses, parameters = [] } = operation;
  const answers = Object.entries(responses).map(([status, answer]) => ({
    status,
    type: bodyType(answer),
  }));
  const within = (place: string): string => {
    const properties = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, schema, description, example, ...meta }) => ({
        name: String(name),
        required,
        schema: { ...schema, ...meta, description, examples: [example] } as Schema,
      }));
    if (properties.length === 0) return 'undefined';
    const object: Schema = {
      properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
      required: properties.filter(({ required }) => required).map(({ name }) => name),
    };
    return ['{', ...fieldsOf(object, schemas, '      '), '    }'].join('\n');
  };
  const route = `\`${method.toUpperCase()} ${path}\``;
  return [
    ...comment(`${summary}. ${description} ${route}`, '  '),
    `  ${operationId}: {`,
    `    body: ${requestBody ? bodyType(requestBody) : 'undefined'};`,
    `    query: ${within('query')};`,
    `    params: ${within('path')};`,
    `    response: ${distinct(answers.filter(({ status }) => status === '200'))};`,
    `    failure: ${distinct(answers.filter(({ status }) => status !== '200'))};`,
    '  };',
  ];
}

const bodyType = ({ content }: { readonly content?: Readonly<Record<string, Json>> }): string =>
  typeOf(content?.['application/json']?.schema as Schema);

const distinct = (answers: readonly { readonly type: string }[]): string =>
  [...new Set(answers.map(({ type }) => type))].join(' | ');

function fieldsOf(schema: Schema, schemas: Schemas, indent: string): string[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const referred = field.$ref === undefined ? undefined : schemas[nameIn(field.$ref)];
    const type = typeOf(field);
    // A request may be built with undefined for what it leaves out, under `exactOptionalPropertyTypes` as well.
    const declared = required.includes(name)
      ? `${name}: ${type}`
      : `${name}?: ${type === 'unknown' ? type : `${type} | undefined`}`;
    return [...comment(textOf(field, referred), indent), `${indent}${declared};`];
  });
}

function typeOf(schema: Schema): string {
  const { $ref, anyOf, type, items } = schema;
  if ($ref !== undefined) return nameIn($ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' | ');
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each })).join(' | ');
  if (type === 'array' && items) {
    const element = typeOf(items);
    return element.includes(' ') ? `(${element})[]` : `${element}[]`;
  }
  if (type === undefined && !schema.properties) return 'unknown';
  const simple = SIMPLE[type as keyof typeof SIMPLE];
  if (simple === undefined) throw new Error(`No type is known for ${JSON.stringify(schema)}`);
  return simple;
}

const SIMPLE = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
} as const;

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** A value as TypeScript writes it. */
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value);

/** What a reader wants to know of a schema and its type does not say. */
function textOf(schema: Schema, referred: Schema | undefined): string {
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

/** The form of a text, where neither its description nor an example shows it. */
const FORMS = [
  { format: 'date', says: 'Y-m-d.', said: /Y-m-d/ },
  { format: 'date-time', says: 'As `2026-01-31T10:00:57.000000Z`.', said: /\d{4}-/ },
];

/** A doc comment, on one line if it fits. */
function comment(text: string, indent: string): string[] {
  const safe = text.replaceAll('*/', '*\\/');
  if (safe === '') return [];
  const line = `${indent}/** ${safe} */`;
  if (line.length <= MAX_COLUMNS) return [line];
  const lines: string[] = [];
  let current = `${indent} *`;
  for (const word of safe.split(' ')) {
    if (`${current} ${word}`.length > MAX_COLUMNS) {
      lines.push(current);
      current = `${indent} *`;
    }
    current += ` ${word}`;
  }
  return [`${indent}/**`, ...lines, current, `${indent} */`];
}
