/* Turns the library's document into the one that is published, for any address. */

import type { OpenAPIHono } from '@hono/zod-openapi';
import { profileOptions } from '../control/profile.ts';
import { ASSUMPTIONS } from '../products/world.ts';
import type { Assumption, AssumptionId } from '../world/assumptions.ts';
import type { Setting, Settings } from '../world/settings.ts';
import { PUBLISHED } from '../world/settings.ts';
import { type JsonObject, mapValues, type SchemaUse } from './schemas.ts';

/** The default address of a sandbox. */
export const SERVER = 'http://127.0.0.1:4015';

/** The editions of a document. */
export type Edition = '3.1' | '3.0';

/** What a document says of its API as a whole. */
interface About {
  readonly title: string;
  readonly version: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: { readonly name: string; readonly description: string }[];
  readonly security?: Record<string, string[]>[];
}

/** The document of the routes of an app. The library's own edition for OpenAPI 3.0 says the same of null and of any value. */
export function writeDocument(
  app: Pick<OpenAPIHono, 'getOpenAPI31Document'>,
  edition: Edition,
  { title, version, summary, description, ...head }: About,
): object {
  const contact = { name: 'micro-insurance-sandbox' };
  const license = { name: 'MIT', identifier: 'MIT' };
  const info = { title, version, summary, description, contact, license };
  const written = app.getOpenAPI31Document(
    {
      openapi: '3.1.0',
      info,
      servers: [{ url: SERVER, description: 'A sandbox on this machine' }],
      ...head,
    },
    { sortComponents: 'alphabetically' },
  );
  if (edition === '3.1') return written;
  const license30 = { name: 'MIT', url: 'https://opensource.org/license/mit' };
  return {
    ...written,
    openapi: '3.0.3',
    info: { title, version, description, contact, license: license30 },
  };
}

/** The parts of a document that this code reads. */
export interface Document extends JsonObject {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: JsonObject & {
    readonly responses?: Readonly<Record<string, Message>>;
    readonly schemas: Readonly<Record<string, JsonObject>>;
  };
}

interface DocumentedOperation extends JsonObject {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Message;
  readonly responses: Readonly<Record<string, Message>>;
}

interface Parameter extends JsonObject {
  readonly schema: JsonObject;
}

/** A request body or a response, or a reference to a response of the components. */
export interface Message extends JsonObject {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, JsonObject>>;
}

/** Converts a schema to its published form. */
type EditSchema = (schema: JsonObject, place: SchemaUse) => JsonObject;

/** The library's document with every schema edited, and without empty parts. */
export function publish(written: object, edit: EditSchema): Document {
  const { webhooks: _none, paths, components, ...head } = written as Document;
  const { parameters: _inline, schemas, ...shared } = components;
  return {
    ...head,
    paths: mapValues(paths, (methods) => mapValues(methods, (each) => editOperation(each, edit))),
    components: {
      ...shared,
      schemas: mapValues(schemas, (schema) => edit(schema, 'named')),
    },
  };
}

/** A response itself, whether an operation has it or refers to it. */
export const responseIn = ({ components }: Document, response: Message): Message =>
  (response.$ref !== undefined && components.responses?.[nameIn(response.$ref)]) || response;

export const nameIn = (reference: string): string =>
  reference.slice(reference.lastIndexOf('/') + 1);

function editOperation(operation: DocumentedOperation, edit: EditSchema): DocumentedOperation {
  const { parameters, requestBody, responses, 'x-assumptions': assumptions, ...head } = operation;
  return {
    ...head,
    ...(parameters && { parameters: parameters.map((each) => editParameter(each, edit)) }),
    ...(requestBody && { requestBody: exampleLast(requestBody) }),
    responses: mapValues(responses, (response) => editResponse(exampleLast(response), edit)),
    ...(assumptions !== undefined && { 'x-assumptions': assumptions }),
  };
}

/** Moves what the library writes inside a parameter's schema next to it. */
function editParameter(parameter: Parameter, edit: EditSchema): Parameter {
  const { description, examples, 'x-assumptions': assumptions, ...form } = parameter.schema;
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required,
    description,
    schema: edit(form, 'parameter'),
    ...(Array.isArray(examples) && { example: examples[0] as unknown }),
    ...(assumptions !== undefined && { 'x-assumptions': assumptions }),
  };
}

function editResponse(response: Message, edit: EditSchema): Message {
  const { content } = response;
  if (!content) return response;
  return {
    ...response,
    content: mapValues(content, (body) => ({
      ...body,
      schema: edit(body.schema as JsonObject, 'response'),
    })),
  };
}

/** Puts the description of a body before its content. */
function exampleLast(message: Message): Message {
  const { content } = message;
  if (!content) return message;
  return {
    ...message,
    content: mapValues(content, ({ schema, ...shown }) => ({ schema, ...shown })),
  };
}

/** The text of a document that a sandbox at this address serves: it is the server, there and in the examples. */
export const servedAt = (document: object, address: string): string =>
  JSON.stringify({
    ...document,
    servers: [{ url: SERVER, description: 'This sandbox' }],
  }).replaceAll(SERVER, () => JSON.stringify(address).slice(1, -1));

/** An assumption as a document lists it. */
export interface DocumentedAssumption extends Assumption {
  /** Its value here, if it differs from the published one. */
  readonly setting?: unknown;
}

/** What a profile changes, by assumption. Of several values only those that differ. */
export function changedSettings(settings: Settings): ReadonlyMap<AssumptionId, unknown> {
  const changed = new Map<AssumptionId, unknown>();
  for (const [id, option] of Object.entries(profileOptions) as [AssumptionId, Setting][]) {
    const value = differing(option.in(settings), option.in(PUBLISHED));
    if (value !== undefined) changed.set(id, value);
  }
  return changed;
}

function differing(value: unknown, published: unknown): unknown {
  if (typeof value !== 'object' || value === null || typeof published !== 'object') {
    return value === published ? undefined : value;
  }
  const other = Object.entries(value).filter(
    ([key, each]) => each !== (published as Record<string, unknown>)[key],
  );
  return other.length === 0 ? undefined : Object.fromEntries(other);
}

/** Every assumption, with its value under these settings. */
export function documentedAssumptions(settings: Settings): Record<string, DocumentedAssumption> {
  const changed = changedSettings(settings);
  return Object.fromEntries(
    Object.entries(ASSUMPTIONS).map(([id, row]) => {
      const setting = changed.get(id as AssumptionId);
      return [id, setting === undefined ? row : { ...row, setting }];
    }),
  );
}
