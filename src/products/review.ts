import { shortly } from '../core/form.ts';
import type { RecordProblem } from './family.ts';
import type { Catalogue } from './product.ts';

type Path = RecordProblem['path'];
/** Of an element of a list, or of a field of it. */
type ListPath = readonly [list: string, position: number, ...field: string[]];

/** Looks through the records of one family, in their order, and collects what is wrong with them. */
export interface Review {
  readonly problems: RecordProblem[];
  /** Notes a problem unless it holds. */
  want(holds: boolean, path: Path, message: string): void;
  /** The product must be one of the family's. */
  wantProduct(productId: number, path: Path): void;
  /** What says the same as one before it in its list is a second one. */
  wantNew(key: string | number, path: ListPath, second: (first: string) => string): void;
  /** No policy number may stand twice in a list. */
  wantNewNumber(number: string, path: ListPath): void;
  /** No id may stand twice among the records of one merchant. */
  wantNewId(id: number, merchantId: number | null, path: ListPath): void;
  /** Records stand oldest first, because lists and selections rely on it. */
  wantLater(createdAt: string, path: Path, what: 'policy' | 'subscriber'): void;
}

export function createReview({ products }: Catalogue, family: string): Review {
  const problems: RecordProblem[] = [];
  const seen = new Map<string, string>();
  let latest = '';
  const want: Review['want'] = (holds, path, message) => {
    if (!holds) problems.push({ path, message });
  };
  const wantNew: Review['wantNew'] = (key, path, second) => {
    const [list, position, ...field] = path;
    const what = `${list}.${field.join('.')}=${key}`;
    const first = seen.get(what);
    seen.set(what, first ?? `${list}.${position}`);
    if (first !== undefined) problems.push({ path, message: second(first) });
  };
  return {
    problems,
    want,
    wantProduct: (id, path) => {
      const name = family.replaceAll('_', '-');
      const holds = products.get(id)?.family === family;
      want(holds, path, `product ${id} is no ${name} product of products.json`);
    },
    wantNew,
    wantNewNumber: (number, path) =>
      wantNew(number, path, (first) => `policy number ${number} is also that of ${first}`),
    wantNewId: (id, merchantId, path) =>
      wantNew(`${merchantId}/${id}`, path, (first) => `${id} is also that of ${first}`),
    wantLater: (createdAt, path, what) => {
      const message = `earlier than that of the ${what} before; records stand oldest first`;
      want(createdAt >= latest, path, message);
      latest = createdAt;
    },
  };
}

/** What has the same key as one before it, a line each with its place. */
export function repeated<Part>(
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
    return [`${where}: ${shortly(key)} is also that of ${place}.${first}`];
  });
}
