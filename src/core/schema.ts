import * as z from 'zod/mini';
import type { AssumptionId } from './assumptions.ts';

/** What a schema says about itself beyond its shape; the document prints it. */
export interface Meta {
  readonly id?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  /** What the document shows instead where the form on the wire is wider than what is meant; or nothing. */
  readonly published?: Readonly<Record<string, unknown>> | false;
  /** The decisions this part of the contract rests on. */
  readonly 'x-assumptions'?: readonly AssumptionId[];
}

/** What is known of the contract's schemas: names, descriptions, examples, decisions. */
export const contract = z.registry<Meta>();

/** Says something about a schema and hands it back. */
export function describe<S extends z.core.$ZodType>(schema: S, meta: Meta): S {
  contract.add(schema, { ...contract.get(schema), ...meta });
  return schema;
}

/**
 * A named schema of the contract. It is built when it is first asked for, once per process: a sandbox
 * that is never asked for an operation never pays for its schemas.
 */
export interface Component<S extends z.core.$ZodType = z.core.$ZodType> {
  (): S;
  readonly componentName: string;
}

export type Infer<C> = C extends Component<infer S> ? z.output<S> : never;

const names = new Set<string>();

/** Declares a named schema; a name can be given once. */
export function component<S extends z.core.$ZodType>(
  componentName: string,
  build: () => S,
  meta: Meta = {},
): Component<S> {
  if (names.has(componentName)) throw new Error(`The component ${componentName} is declared twice`);
  names.add(componentName);
  let built: S | undefined;
  const get = () => {
    built ??= describe(build(), { ...meta, id: componentName });
    return built;
  };
  return Object.assign(get, { componentName });
}
