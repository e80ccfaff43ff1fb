import { type Json, mapValues } from './normalize-schema.ts';

/** Where a sandbox stands unless it is told otherwise. */
export const SERVER = 'http://127.0.0.1:4015';

export const SERVERS = [{ url: SERVER, description: 'A sandbox on this machine.' }];
export const CONTACT = { name: 'micro-insurance-sandbox' };
export const LICENSE = { name: 'MIT', identifier: 'MIT' };

/** Named schemas in the order of their names. */
export const SORTED = { sortComponents: 'alphabetically' } as const;

/** A document, as far as it is read here. */
export interface Document extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: Json & { readonly schemas: Readonly<Record<string, Json>> };
}

interface DocumentedOperation extends Json {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Message;
  readonly responses: Readonly<Record<string, Message>>;
}

interface Parameter extends Json {
  readonly schema: Json;
}

/** A request body, or a response. */
interface Message extends Json {
  readonly content?: Readonly<Record<string, Json>>;
}

/** Gives a schema the form it is published in. */
type EditSchema = (schema: Json) => Json;

/** The document that the library wrote, every named schema edited, and without the parts that are empty. */
export function publish(written: object, edit: EditSchema): Document {
  const { webhooks: _none, paths, components, ...head } = written as Document;
  const { parameters: _inline, schemas, ...shared } = components;
  return {
    ...head,
    paths: mapValues(paths, (methods) => mapValues(methods, (each) => editOperation(each, edit))),
    components: { ...shared, schemas: mapValues(schemas, edit) },
  };
}

function editOperation(operation: DocumentedOperation, edit: EditSchema): DocumentedOperation {
  const { parameters, requestBody, responses, 'x-assumptions': assumptions, ...head } = operation;
  return {
    ...head,
    ...(parameters && { parameters: parameters.map((each) => editParameter(each, edit)) }),
    ...(requestBody && { requestBody: exampleLast(requestBody) }),
    responses: mapValues(responses, exampleLast),
    ...(assumptions !== undefined && { 'x-assumptions': assumptions }),
  };
}

/** What the library says of a parameter inside its schema belongs beside the schema. */
function editParameter(parameter: Parameter, edit: EditSchema): Parameter {
  const { description, examples, 'x-assumptions': assumptions, ...form } = parameter.schema;
  // Some generated clients write a date in a query with a time of day; a text stays as it is.
  if (form.format === 'date') delete form.format;
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required,
    description,
    schema: edit(form),
    ...(Array.isArray(examples) && { example: examples[0] as unknown }),
    ...(assumptions !== undefined && { 'x-assumptions': assumptions }),
  };
}

/** A body is described before it is shown. */
function exampleLast(message: Message): Message {
  const { content } = message;
  if (!content) return message;
  return {
    ...message,
    content: mapValues(content, ({ schema, ...shown }) => ({ schema, ...shown })),
  };
}
