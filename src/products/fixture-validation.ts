import { truncate } from '../world/problem-texts.ts';
import type { Catalogue } from './catalogue.ts';
import type { RecordProblem } from './family.ts';

type Path = RecordProblem['path'];
/** Of an element of a list, or of a field of it. */
type ListPath = readonly [list: string, position: number, ...field: string[]];

/** Looks through the records of one family, in their order, and notes what is wrong with them. */
export interface Review {
  /** Yields the problems noted since the last time, or undefined if there are none: once for each record. */
  told(): Generator<RecordProblem | undefined, void>;
  /** Notes a problem unless it holds. */
  want(holds: boolean, path: Path, message: string): void;
  /** A field repeats another one of the same record; `what` says which. */
  expectSame(value: unknown, expected: unknown, path: Path, what: string): void;
  /** The product must be one of the family's. */
  expectProduct(productId: number, path: Path): void;
  /** What says the same as one before it in its list, among those that are compared, is a second one. */
  expectUnique(
    key: string | number,
    path: ListPath,
    second: (first: string) => string,
    among?: string,
  ): void;
  /** No policy number may stand twice in a list. */
  expectUniqueNumber(number: string, path: ListPath): void;
  /** No id may stand twice among the records of one merchant. */
  expectUniqueId(id: number, merchantId: number, path: ListPath): void;
  /** Records stand oldest first, because lists and selections rely on it. */
  expectInOrder(createdAt: string, path: Path, what: 'policy' | 'subscriber'): void;
}

export function createRecordValidation({ products }: Catalogue, family: string): Review {
  let problems: RecordProblem[] = [];
  // There may be a million records: a Map for each field, of values that the records hold anyway.
  const seen = new Map<string, Map<string | number, number>>();
  let latest = '';
  const want: Review['want'] = (holds, path, message) => {
    if (!holds) problems.push({ path, message });
  };
  const positionsIn = (place: string) => {
    const known = seen.get(place);
    if (known) return known;
    const positions = new Map<string | number, number>();
    seen.set(place, positions);
    return positions;
  };
  const expectUnique: Review['expectUnique'] = (key, path, second, among = '') => {
    const [list, position, ...field] = path;
    const positions = positionsIn(`${list}.${field.join('.')} ${among}`);
    const first = positions.get(key);
    if (first === undefined) positions.set(key, position);
    else problems.push({ path, message: second(`${list}.${first}`) });
  };
  return {
    *told() {
      if (problems.length === 0) return void (yield undefined);
      const noted = problems;
      problems = [];
      yield* noted;
    },
    want,
    expectSame: (value, expected, path, what) => {
      if (value !== expected) problems.push({ path, message: `expected ${expected}, ${what}` });
    },
    expectProduct: (id, path) => {
      const name = family.replaceAll('_', '-');
      const holds = products.get(id)?.family === family;
      want(holds, path, `product ${id} is no ${name} product of products.json`);
    },
    expectUnique,
    expectUniqueNumber: (number, path) =>
      expectUnique(number, path, (first) => `policy number ${number} is also that of ${first}`),
    expectUniqueId: (id, merchantId, path) =>
      expectUnique(id, path, (first) => `${id} is also that of ${first}`, String(merchantId)),
    expectInOrder: (createdAt, path, what) => {
      const message = `earlier than that of the ${what} before; records stand oldest first`;
      want(createdAt >= latest, path, message);
      latest = createdAt;
    },
  };
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
