import { anyFamilies } from '../products/world.ts';
import { withAssumptionTables } from './assumption-tables.ts';
import type { Document, Message } from './document.ts';
import { createControlDocument } from './documents.ts';
import { createMerchantDocument } from './merchant.ts';

const print = (document: object) => `${JSON.stringify(document, null, 2)}\n`;

/** The page that lists the assumptions. */
export const ASSUMPTIONS_PAGE = 'docs/decisions.md';

/**
 * The files that the code writes and that are committed: the published documents, the types of the merchant API, and
 * the page of assumptions, whose text outside the tables comes from the page as it is.
 */
export function generatedFiles(version: string, assumptionsPage: string): Record<string, string> {
  const merchant = createMerchantDocument('3.1', version);
  return {
    'openapi/merchant-api.json': print(merchant),
    'openapi/merchant-api-3.0.json': print(createMerchantDocument('3.0', version)),
    'openapi/control-plane.json': print(createControlDocument(version)),
    'src/wire.ts': wireTypes(
      merchant as Document,
      new Map(anyFamilies.map(({ key, policyName }) => [key, policyName])),
    ),
    [ASSUMPTIONS_PAGE]: withAssumptionTables(assumptionsPage),
  };
}

const HEADER = `/*
 * Written by \`npm run docs\` from the published document, openapi/merchant-api.json. To change something here,
 * change the schemas of the routes.
 *
 * What the merchant API takes and returns without a profile. The ids after "Assumptions" are explained in
 * docs/decisions.md.
 */`;

const MAX_COLUMNS = 100;

/** The parts of a published schema that matter for types. */
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
 * The TypeScript types of an OpenAPI 3.1 document: one per named schema, `Operations`, and the names of operations and
 * families. Throws if it has no type for a schema.
 */
export function wireTypes(
  { components, paths }: Document,
  families: ReadonlyMap<string, string>,
): string {
  const schemas = components.schemas as Schemas;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  return [
    HEADER,
    ...Object.entries(schemas).map(([name, schema]) => namedType(name, schema, schemas)),
    [
      '/** Every call of the merchant API by its operationId: what it takes, and what it answers. */',
      'export interface Operations {',
      ...operations.flatMap(([route, operation]) => operationType(route, operation, schemas)),
      '}',
    ],
    union(
      'OperationId',
      'The name of a call, as faults and the journal know it.',
      operations.map(([, { operationId }]) => `${operationId}`),
    ),
    union('Family', 'A product family.', [...families.keys()]),
    [
      '/** A policy of each family, as `merchant.records()` returns it. */',
      'export interface Policies {',
      ...[...families].map(([family, policy]) => `  ${family}: ${policy};`),
      '}',
    ],
  ]
    .map((part) => `${[part].flat().join('\n')}\n`)
    .join('\n');
}

function namedType(name: string, schema: Schema, schemas: Schemas): string[] {
  const { properties, required = [] } = schema;
  const head = comment(textOf(schema, undefined), '');
  if (!properties) return [...head, `export type ${name} = ${typeOf(schema)};`];
  const fields = Object.entries(properties).flatMap(([field, each]) =>
    fieldType(field, required.includes(field), each, schemas, '  '),
  );
  return [...head, `export interface ${name} {`, ...fields, '}'];
}

function union(name: string, description: string, members: readonly string[]): string[] {
  const lines = members.map((member) => `  | ${literal(member)}`);
  const short = `export type ${name} = ${members.map(literal).join(' | ')};`;
  const long = [`export type ${name} =`, ...lines.slice(0, -1), `${lines.at(-1)};`];
  return [...comment(description, ''), ...(short.length > MAX_COLUMNS ? long : [short])];
}

/** One operation: its summary, and a type for each part of a call, `undefined` if it has none. */
function operationType(
  route: string,
  operation: Document['paths'][string][string],
  schemas: Schemas,
): string[] {
  const { operationId, summary, description, requestBody, responses, parameters = [] } = operation;
  const { 200: success, ...failures } = responses;
  const within = (place: string): string => {
    const fields = parameters
      .filter((parameter) => parameter.in === place)
      .flatMap(({ name, required, schema, example, ...meta }) =>
        fieldType(
          `${name}`,
          required === true,
          { ...schema, ...meta, examples: [example] },
          schemas,
          '      ',
        ),
      );
    return fields.length === 0 ? 'undefined' : ['{', ...fields, '    }'].join('\n');
  };
  return [
    ...comment(`${summary}. ${description} \`${route}\``, '  '),
    `  ${operationId}: {`,
    `    body: ${requestBody ? bodyType(requestBody) : 'undefined'};`,
    `    query: ${within('query')};`,
    `    params: ${within('path')};`,
    `    response: ${bodyType(success as Message)};`,
    `    failure: ${[...new Set(Object.values(failures).map(bodyType))].join(' | ')};`,
    '  };',
  ];
}

const bodyType = ({ content }: Message): string =>
  typeOf(content?.['application/json']?.schema as Schema);

function fieldType(
  name: string,
  isRequired: boolean,
  field: Schema,
  schemas: Schemas,
  indent: string,
): string[] {
  const referred = field.$ref === undefined ? undefined : schemas[nameIn(field.$ref)];
  const type = typeOf(field);
  // Code may pass undefined for missing fields, also under `exactOptionalPropertyTypes`.
  const optional = type === 'unknown' ? type : `${type} | undefined`;
  const declared = isRequired ? `${name}: ${type}` : `${name}?: ${optional}`;
  return [...comment(textOf(field, referred), indent), `${indent}${declared};`];
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

/** The description of a schema, with what its type does not say. */
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

/** Formats of texts, shown if neither description nor example does. */
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
  const width = MAX_COLUMNS - `${indent} * `.length;
  const lines = safe.match(new RegExp(`(?:.{1,${width}}|\\S+)(?= |$)`, 'g')) ?? [];
  return [`${indent}/**`, ...lines.map((each) => `${indent} * ${each.trim()}`), `${indent} */`];
}
