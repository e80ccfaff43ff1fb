/* A call of a probe: what it sends, the calls whose answers it needs, and its answer. */

import type { Operation } from '../../api/operation.ts';
import { operations } from '../../products/world.ts';
import type { ErrorCode } from '../../world/errors.ts';
import { isPlainObject } from '../../world/problem-texts.ts';
import type { Instant } from '../../world/time.ts';
import { formOfText } from '../violations.ts';
import type { Mask } from './mask.ts';
import { showValue } from './text.ts';

export type Fields = Readonly<Record<string, unknown>>;

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
  readonly method?: string;
  /** A path that no operation has. */
  readonly path?: string;
}

/** When to send a call that waits for time to pass. */
interface Passing {
  /** Its place among such calls, from 1. */
  readonly phase: number;
  /** The clock of a sandbox is moved there. */
  readonly moment: (...needs: Answer[]) => Instant;
  /** How long after that moment `--wait-expiry` sends it where no clock can be moved. Without it, never. */
  readonly margin?: number;
}

interface CallOptions extends Transport {
  /** Calls that must have succeeded. Functions get their answers in this order. */
  readonly needs?: readonly ProbeCall[];
  /** Calls that come before this one, whatever their answers are. */
  readonly after?: readonly ProbeCall[];
  /** What the contract refuses this call for. */
  readonly refusal?: ErrorCode;
  /** Sent at the same time. */
  readonly together?: ProbeCall;
  /** Time passes before it. */
  readonly time?: Passing;
  /** A URL from an answer in place of the address of the operation. */
  readonly url?: (...needs: Answer[]) => unknown;
}

type Input = (setup: Setup, ...needs: Answer[]) => Fields;

/** A call. Probes that share the object share the answer. */
export interface ProbeCall extends CallOptions {
  readonly operation: Operation;
  /** What is special about it: `without a key`. */
  readonly what: string;
  readonly needs: readonly ProbeCall[];
  readonly input: Input;
  /** Whether it is another call with other fields. */
  readonly isVaried?: boolean;
  /** The fields that matter, for the report. */
  readonly changed?: readonly string[];
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

interface AnswerContext {
  readonly sent?: Fields;
  readonly at?: Instant;
  readonly mask?: Mask;
}

/** What a server answered to a call. */
export class Answer {
  readonly call: ProbeCall;
  /** The fields that were sent. */
  readonly sent: Fields;
  /** The time at the server when it was sent. */
  readonly at: Instant;
  readonly status: number;
  readonly headers: Headers;
  /** The JSON body; undefined if the body is not JSON. */
  readonly body: unknown;
  readonly text: string;
  readonly #mask: Mask;

  constructor(
    call: ProbeCall,
    received: Pick<Answer, 'status' | 'headers' | 'body' | 'text'>,
    { sent = {}, at = 0, mask = (text) => text }: AnswerContext = {},
  ) {
    this.call = call;
    this.sent = sent;
    this.at = at;
    this.#mask = mask;
    this.status = received.status;
    this.headers = received.headers;
    this.body = received.body;
    this.text = received.text;
  }

  /** Whether the call did what it asked for. */
  get ok(): boolean {
    const isSuccess = this.status >= 200 && this.status < 300 && isPlainObject(this.body);
    return isSuccess && this.get('success') !== false && this.get('data') !== undefined;
  }

  /** A value of the server on one line, as JSON, without keys. */
  show(value: unknown, max?: number): string {
    return showValue(value, max, this.#mask);
  }

  /** A header without keys. */
  showHeader(name: string): string {
    const value = this.headers.get(name);
    return value === null ? 'no such header' : this.#mask(value);
  }

  /** The value at a path of keys and positions, joined by dots: `data.user.id`. */
  get(path: string): unknown {
    return valueAt(this.body, path);
  }

  /** The list in the data, whether it is a page or a plain array; undefined if there is none. */
  get list(): readonly Fields[] | undefined {
    const data = this.get('data');
    const list = Array.isArray(data) ? data : valueAt(data, 'data');
    return Array.isArray(list) ? list.filter(isPlainObject) : undefined;
  }

  get items(): readonly Fields[] {
    return this.list ?? [];
  }

  /** What the server says, without keys. */
  get message(): string | undefined {
    const text = this.#said ?? this.problems[0]?.text;
    return text === undefined ? undefined : this.#mask(text);
  }

  get #said(): string | undefined {
    const said = [this.get('response_message'), this.get('message'), this.get('detail')];
    return said.find((each) => typeof each === 'string');
  }

  /** Every problem that a refusal tells, in its order, with its field where the form has one for it. */
  get problems(): readonly { readonly field?: string; readonly text: string }[] {
    const known = [this.get('data.error'), this.get('errors')].filter(
      (list) => typeof list === 'object' && list !== null,
    );
    // Some frameworks answer the fields alone, each with its problems.
    const lists = known.length > 0 ? known : [onlyArrays(this.body)];
    const problems = lists.flatMap((list) =>
      Object.entries(list as object).flatMap(([key, told]) =>
        (Array.isArray(told) ? told : [told]).map((problem) => ({
          ...(!/^\d+$/.test(key) && { field: key }),
          text: String(typeof problem === 'string' ? problem : (valueAt(problem, 'detail') ?? '')),
        })),
      ),
    );
    if (problems.length > 0) return problems;
    return this.#said === undefined ? [] : [{ text: this.#said }];
  }

  /** Whether a refusal names a field, in its text or beside it. */
  names(field: string): boolean {
    return this.problems.some((problem) => problem.field === field || problem.text.includes(field));
  }

  /** What the body is: `HTML`, or the fields of an object. */
  get form(): string {
    if (isPlainObject(this.body)) return this.#mask(`{ ${Object.keys(this.body).join(', ')} }`);
    return this.body === undefined ? formOfText(this.text) : 'JSON that is no object';
  }

  /** One line: `refused with 422: "The token field is required."` */
  get shown(): string {
    if (this.ok) return 'accepted';
    if (!isPlainObject(this.body)) return `answered with ${this.status} and ${this.form}`;
    const said = this.message === undefined ? '' : `: ${showValue(this.message)}`;
    return `refused with ${this.status}${said}`;
  }
}

const onlyArrays = (body: unknown): object =>
  isPlainObject(body) && Object.values(body).every(Array.isArray) ? body : {};

/** The value at a path of keys and positions, joined by dots. */
export function valueAt(value: unknown, path: string): unknown {
  let inside = value;
  for (const key of path.split('.')) {
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, key)) {
      return undefined;
    }
    inside = Reflect.get(inside, key);
  }
  return inside;
}
