/* What a server answered to a call, and what the answer says about the statement of a probe. */

import { isPlainObject } from '../../world/problem-texts.ts';
import type { Instant } from '../../world/time.ts';
import { formOfText } from '../violations.ts';
import { type Mask, showValue } from './mask.ts';
import { AS_PUBLISHED, type AskedCall, type Place, type ProbeReading, unknown } from './reading.ts';
import { type Fields, isAlike, isSame, valueAt } from './values.ts';

/** A missing field is told by its schema. */
const MISSING = unknown('the field is missing');

interface AnswerContext {
  readonly sent?: Fields;
  readonly at?: Instant;
  readonly mask?: Mask;
}

/** What a server answered to a call. */
export class Answer implements Place {
  readonly call: AskedCall;
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
    call: AskedCall,
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

  /* What it says about a statement. */

  /** That something else was seen than expected, in our words. */
  otherwise(expected: string, seen: string): ProbeReading {
    return { expected, seen, at: this };
  }

  /** That a value is another than expected. */
  differs(expected: unknown, seen: unknown): ProbeReading {
    return this.otherwise(this.show(expected), this.show(seen));
  }

  /** That something is so, or else what is there instead. */
  holds(is: boolean, expected: string, seen: string): ProbeReading {
    return is ? AS_PUBLISHED : this.otherwise(expected, seen);
  }

  /** The value of an assumption, as a profile sets it. */
  decided(value: unknown): ProbeReading {
    return { decided: [[value, this]] };
  }

  /** That the call was accepted, and what it answered. */
  accepted(read: (answer: Answer) => ProbeReading = () => AS_PUBLISHED): ProbeReading {
    return this.ok ? read(this) : this.otherwise('accepted', this.shown);
  }

  /** That the call was refused, for a reason and not by a failure of the server. */
  refused(): ProbeReading {
    if (this.ok) return this.otherwise('refused', 'accepted');
    return this.holds(this.status < 500, 'refused', `failed with ${this.status}`);
  }

  /** The message of a refusal, as a profile sets it. */
  refusalMessage(): ProbeReading {
    const { message } = this;
    if (this.ok) return unknown('the call was accepted');
    if (this.status >= 500) return this.otherwise('a refusal', this.shown);
    return message === undefined
      ? this.otherwise('a message', 'no message')
      : this.decided({ message });
  }

  /** That a value is the expected one. */
  same(expected: unknown, seen: unknown): ProbeReading {
    if (isSame(expected, seen)) return AS_PUBLISHED;
    return seen === undefined ? MISSING : this.differs(expected, seen);
  }

  /** That a text has a form. */
  formed(path: string, form: RegExp, says: string): ProbeReading {
    const seen = this.get(path);
    if (seen === undefined) return MISSING;
    return this.holds(typeof seen === 'string' && form.test(seen), says, this.show(seen));
  }

  /** That its data has these values. */
  shows(expected: Fields): ProbeReading {
    return this.has(this.get('data'), expected);
  }

  /** That a record has these values at these paths. All that differ are told; other types are told by the schema. */
  has(record: unknown, expected: Fields): ProbeReading {
    const shown = Object.entries(expected)
      .map(([path, due]) => ({ path, due, seen: valueAt(record, path) }))
      .filter(({ due, seen }) => due !== undefined && seen !== undefined);
    if (shown.length === 0) return MISSING;
    const odd = shown.filter(({ due, seen }) => !isAlike(due, seen));
    if (odd.length === 0) return AS_PUBLISHED;
    return this.differs(
      Object.fromEntries(odd.map(({ path, due }) => [path, due])),
      Object.fromEntries(odd.map(({ path, seen }) => [path, seen])),
    );
  }
}

const onlyArrays = (body: unknown): object =>
  isPlainObject(body) && Object.values(body).every(Array.isArray) ? body : {};
