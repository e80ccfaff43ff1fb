import type { Json } from '../../openapi/normalize-schema.ts';

/** A document, as far as a reference page reads it. */
export interface ReferenceDocument {
  readonly info: { readonly title: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Json & {
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
  readonly 'x-assumptions'?: Readonly<Record<string, unknown>>;
}

interface Operation extends Json {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
}

/** The operations under one heading. */
export interface Chapter {
  readonly tag: string;
  readonly operations: readonly ListedOperation[];
}

interface ListedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** The names of all that is sent or answered. */
  readonly fields: readonly string[];
}

/** What a document describes, in its order. */
export function contentsOf(document: ReferenceDocument): Chapter[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return document.tags.map(({ name }) => ({
    tag: name,
    operations: operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ path, method, operation }) => ({
        id: operation.operationId,
        method,
        path,
        summary: operation.summary,
        fields: fieldsOf(document, operation),
      })),
  }));
}

/** The names of the parameters and properties below an operation, also by way of named schemas. */
function fieldsOf(document: ReferenceDocument, operation: Operation): string[] {
  const fields = new Set<string>();
  const seen = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const element of value) visit(element);
      return;
    }
    const {
      $ref,
      in: place,
      name,
      properties,
      example: _one,
      examples: _all,
      ...rest
    } = value as Json;
    if (typeof place === 'string' && typeof name === 'string') fields.add(name);
    for (const [field, schema] of Object.entries((properties ?? {}) as Json)) {
      fields.add(field);
      visit(schema);
    }
    if (typeof $ref === 'string' && !seen.has($ref)) {
      seen.add($ref);
      visit(resolve(document, $ref));
    }
    for (const part of Object.values(rest)) visit(part);
  };
  visit(operation);
  return [...fields];
}

const resolve = (document: ReferenceDocument, reference: string): unknown =>
  reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((node, key) => (node as Json)[key], document);
