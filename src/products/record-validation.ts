import type { z } from '@hono/zod-openapi';
import { stripEmpty } from '../api/request.ts';
import { type RequestForms, WIDEST_FORMS } from '../api/request-forms.ts';
import { validateFields } from '../api/validation.ts';
import type { FieldError, Malformed } from '../world/errors.ts';
import { truncate } from '../world/problem-texts.ts';
import type { Catalogue } from './catalogue.ts';

/** Something wrong with records, at a place inside their document. */
export interface RecordProblem {
  /** Keys and positions, outermost first. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Path = RecordProblem['path'];

/** Checks the records of one family, one after another, and collects the problems. Paths are inside the record. */
export class RecordCheck {
  readonly #catalogue: Catalogue;
  readonly #family: string;
  // There may be a million records: a Map for each field, of values that the records hold anyway.
  readonly #positions = new Map<string, Map<string | number, number>>();
  #problems: RecordProblem[] = [];
  #place: readonly [list: string, position: number] = ['', 0];
  #latest = '';

  constructor(catalogue: Catalogue, family: string) {
    this.#catalogue = catalogue;
    this.#family = family;
  }

  /** Runs the checks of the record at a position of a list, and returns its problems. */
  problemsAt(list: string, position: number, check: () => void): RecordProblem[] {
    this.#place = [list, position];
    this.#problems = [];
    check();
    return this.#problems;
  }

  expect(holds: boolean, path: Path, message: string): void {
    if (!holds) this.#problems.push({ path: [...this.#place, ...path], message });
  }

  /** A field repeats another one of the same record; `what` says which. */
  expectSame(value: unknown, expected: unknown, path: Path, what: string): void {
    if (value !== expected) this.expect(false, path, `expected ${expected}, ${what}`);
  }

  /** The product must be one of the family's. */
  expectProduct(id: number, path: Path = ['product_id']): void {
    const name = this.#family.replaceAll('_', '-');
    const isOwn = this.#catalogue.products.get(id)?.family === this.#family;
    this.expect(isOwn, path, `product ${id} is no ${name} product of products.json`);
  }

  /**
   * No record before it in its list has the same key.
   *
   * @param problem what is wrong otherwise; `first` is the place of the record that has the key
   * @param among tells apart the records that are compared
   */
  expectUnique(
    key: string | number,
    path: Path,
    problem: (first: string) => string,
    among = '',
  ): void {
    const [list, position] = this.#place;
    const field = `${list}.${path.join('.')} ${among}`;
    const positions = this.#positions.get(field) ?? new Map<string | number, number>();
    this.#positions.set(field, positions);
    const first = positions.get(key);
    if (first === undefined) positions.set(key, position);
    else this.expect(false, path, problem(`${list}.${first}`));
  }

  /** No two policies have the same number. */
  expectUniqueNumber(number: string, path: Path): void {
    this.expectUnique(number, path, (first) => `policy number ${number} is also that of ${first}`);
  }

  /** No two records of one merchant have the same id. */
  expectUniqueId(id: number, merchantId: number): void {
    this.expectUnique(id, ['id'], (first) => `${id} is also that of ${first}`, String(merchantId));
  }

  /** Records stand oldest first, because lists and selections rely on it. */
  expectInOrder(createdAt: string, path: Path, what: 'policy' | 'subscriber'): void {
    const message = `earlier than that of the ${what} before; records stand oldest first`;
    this.expect(createdAt >= this.#latest, path, message);
    this.#latest = createdAt;
  }
}

/** What has the same key as one before it, a line each with its place. */
export function findDuplicates<Part>(
  parts: readonly Part[],
  keyOf: (part: Part) => unknown,
  place: string,
  field?: string,
): string[] {
  const seen = new Map<unknown, number>();
  return parts.flatMap((part, position) => {
    const key = keyOf(part);
    const first = seen.get(key);
    seen.set(key, first ?? position);
    if (first === undefined) return [];
    const where = [place, position, field].filter((word) => word !== undefined).join('.');
    return [`${where}: ${truncate(key)} is also that of ${place}.${first}`];
  });
}

/** How initiate makes the details of a pending purchase from a request. */
export interface Initiation<Input, Details> {
  /** Its schema where fields have other forms than those published. */
  requestIn(forms: RequestForms): z.ZodObject | undefined;
  /** The request that would have made these details. */
  readonly sent: Readonly<Record<string, unknown>>;
  check(input: Partial<Input>, malformed: Malformed): readonly FieldError[];
  createDetails(input: Input): Details;
  /** Where the details keep a field of the request, if not under its name. */
  readonly places?: Readonly<Record<string, Path>>;
}

/** Repeats the initiate of a pending purchase: it must be accepted, and make the same details. */
export function reviewDetails<Input, Details extends object>(
  details: Details,
  { requestIn, sent, check, createDetails, places = {} }: Initiation<Input, Details>,
): RecordProblem[] {
  const fields = stripEmpty(sent) as typeof sent;
  // Some profile may have accepted them.
  const { shape = {} } = requestIn(WIDEST_FORMS) ?? {};
  const { input, errors } = validateFields(shape, fields, (wellFormed, malformed) =>
    check(wellFormed as Partial<Input>, malformed),
  );
  if (errors.length > 0) return errors.map((error) => problemOf(error, places));
  return Object.entries(createDetails(input as Input)).flatMap(([field, expected]) => {
    const got = Reflect.get(details, field);
    if (JSON.stringify(got) === JSON.stringify(expected)) return [];
    return [{ path: [field], message: `expected ${truncate(expected)}, got ${truncate(got)}` }];
  });
}

/** `members.3.gender` is a place, and what follows `The members.3.gender field` is what is wrong there. */
function problemOf(
  { field, message }: FieldError,
  places: Readonly<Record<string, Path>>,
): RecordProblem {
  const [name = '', ...inside] = field.split('.');
  const path = [
    ...(places[name] ?? [name]),
    ...inside.map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
  ];
  return { path, message: message.replace(`The ${field} field `, '') };
}
