/* A call of a probe: what it sends, and the calls whose answers it needs. */

import type { Operation } from '../../api/operation.ts';
import { operations } from '../../products/world.ts';
import type { Instant } from '../../world/time.ts';
import type { Answer } from './answer.ts';
import type { AskedCall } from './reading.ts';
import type { Fields } from './values.ts';

/** What a check knows before it starts. */
export interface Setup {
  /** Tells the customers of one check from those of another. */
  readonly run: string;
  /** The day at the server, YYYY-MM-DD. */
  readonly today: string;
  /** By family, the id of a product that the server sells. */
  readonly products: Readonly<Record<string, number | undefined>>;
}

/** Whose key a call has: the merchant's unless it says otherwise. */
export type KeyOf = 'merchant' | 'other' | 'rotated' | 'lower-case scheme' | 'wrong' | 'none';

/** The Authorization header for each of them; null sends none, undefined if there is no such key. */
export type Keys = Readonly<Record<KeyOf, string | null | undefined>>;

/** What a call sends besides its input. */
interface Transport {
  readonly key?: KeyOf;
  /** Sent unchanged instead of the input as JSON. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** Put before the JSON of the input. */
  readonly prefix?: string;
  readonly contentType?: string;
}

/** When to send a call that waits for time to pass. */
export interface Passing {
  /** Its place among such calls, from 1. */
  readonly phase: number;
  /** The clock of a sandbox is moved there. */
  readonly moment: (...needs: Answer[]) => Instant;
  /** How long after that moment `--wait-expiry` sends it where no clock can be moved. Without it, never. */
  readonly margin?: number;
}

interface CallOptions extends Transport, Partial<Pick<AskedCall, 'method' | 'path' | 'refusal'>> {
  /** Calls that must have succeeded. Functions get their answers in this order. */
  readonly needs?: readonly ProbeCall[];
  /** Calls that come before this one, whatever their answers are. */
  readonly after?: readonly ProbeCall[];
  /** Sent at the same time. */
  readonly together?: ProbeCall;
  /** Time passes before it. */
  readonly time?: Passing;
  /** A URL from an answer in place of the address of the operation. */
  readonly url?: (...needs: Answer[]) => unknown;
}

type Input = (setup: Setup, ...needs: Answer[]) => Fields;

/** A call. Probes that share the object share the answer. */
export interface ProbeCall extends CallOptions, AskedCall {
  readonly needs: readonly ProbeCall[];
  readonly input: Input;
  /** Whether it is another call with other fields. */
  readonly isVaried?: boolean;
}

function operationOf(operationId: string): Operation {
  const operation = operations.find((each) => each.operationId === operationId);
  if (!operation) throw new Error(`There is no operation ${operationId}.`);
  return operation;
}

/** Declares a call of an operation, which may be named by its id. */
export const call = (
  of: string | Operation,
  what: string,
  options: CallOptions = {},
  input: Input = () => ({}),
): ProbeCall => ({
  needs: [],
  ...options,
  operation: typeof of === 'string' ? operationOf(of) : of,
  ...{ what, input },
});

/** What a call has instead of the fields of another one. */
export type Changes = Fields | Input;

/**
 * The same call with other fields, sent only once the call itself was accepted: a server that refuses all calls says
 * nothing about one of them. A field that is undefined is left out.
 */
export const varied = (
  base: ProbeCall,
  what: string,
  changes: Changes,
  options: CallOptions = {},
): ProbeCall => ({
  operation: base.operation,
  ...options,
  what,
  isVaried: true,
  ...(typeof changes === 'object' && { changed: Object.keys(changes) }),
  needs: [...base.needs, ...(options.needs ?? []), base],
  input: (...args) => ({
    ...base.input(...args),
    ...(typeof changes === 'function' ? changes(...args) : changes),
  }),
});
