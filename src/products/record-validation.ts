/* Checks what schemas cannot see in records, and names the place of each problem. */

import { truncate } from '../world/problem-texts.ts';
import type { RecordRule } from '../world/rules.ts';
import type { Catalogue } from './catalogue.ts';

/** A problem in records, with its place. */
export interface RecordProblem {
  readonly rule: RecordRule;
  /** Keys and positions, outermost first. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Path = RecordProblem['path'];

/** Validates the records of one family one by one and collects the problems. Paths are relative to the record. */
export class RecordCheck {
  readonly #catalogue: Catalogue;
  readonly #family: string;
  // One Map per field, without new texts: there may be a million records.
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

  expect(holds: boolean, rule: RecordRule, path: Path, message: string): void {
    if (!holds) this.#problems.push({ rule, path: [...this.#place, ...path], message });
  }

  /** A field must equal another one of the same record; `what` says which. */
  expectSame(value: unknown, expected: unknown, path: Path, what: string): void {
    if (value !== expected) this.expect(false, 'reference', path, `expected ${expected}, ${what}`);
  }

  /** The product must belong to the family. */
  expectProduct(id: number, path: Path = ['product_id']): void {
    const name = this.#family.replaceAll('_', '-');
    const isOwn = this.#catalogue.products.get(id)?.family === this.#family;
    this.expect(isOwn, 'product', path, `product ${id} is not a ${name} product in products.json`);
  }

  /**
   * No earlier record of the list may have the same key.
   *
   * @param problem returns the message; `first` is the place of the record with the same key
   * @param among compares only records with the same value of it
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
    else this.expect(false, 'duplicate', path, problem(`${list}.${first}`));
  }

  /** Policy numbers must be unique. */
  expectUniqueNumber(number: string, path: Path): void {
    this.expectUnique(
      number,
      path,
      (first) => `policy number ${number} is already used by ${first}`,
    );
  }

  /** Ids must be unique within a merchant. */
  expectUniqueId(id: number, merchantId: number): void {
    this.expectUnique(
      id,
      ['id'],
      (first) => `${id} is already used by ${first}`,
      String(merchantId),
    );
  }

  /** Records must be oldest first, because lists and selections rely on it. */
  expectInOrder(createdAt: string, path: Path, what: 'policy' | 'subscriber'): void {
    const message = `earlier than that of the previous ${what}; records must be oldest first`;
    this.expect(createdAt >= this.#latest, 'order', path, message);
    this.#latest = createdAt;
  }
}

/** Returns a problem for every part whose key an earlier part has. */
export function findDuplicates<Part>(
  parts: readonly Part[],
  keyOf: (part: Part) => unknown,
  place: string,
  field: string,
): RecordProblem[] {
  const seen = new Map<unknown, number>();
  return parts.flatMap((part, position) => {
    const key = keyOf(part);
    const first = seen.get(key);
    seen.set(key, first ?? position);
    if (first === undefined) return [];
    const message = `${truncate(key)} is already used by ${place}.${first}`;
    return [{ rule: 'duplicate', path: [place, position, field], message }];
  });
}
