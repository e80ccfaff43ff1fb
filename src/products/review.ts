import { shortly } from '../core/form.ts';
import type { RecordProblem } from './family.ts';
import type { Catalogue } from './product.ts';

type Path = RecordProblem['path'];

/** Looks through the records of one family, in their order, and collects what is wrong with them. */
export interface Review {
  readonly problems: RecordProblem[];
  /** Notes a problem unless it holds. */
  want(holds: boolean, path: Path, message: string): void;
  /** The product must be one of the family's. */
  wantProduct(productId: number, path: Path): void;
  /** No policy number may stand twice in a list. */
  wantNewNumber(number: string, [list, position, field]: readonly [string, number, string]): void;
  /** Records stand oldest first, because lists and selections rely on it. */
  wantLater(createdAt: string, path: Path, what: 'policy' | 'subscriber'): void;
}

export function createReview({ products }: Catalogue, family: string): Review {
  const problems: RecordProblem[] = [];
  const numbers = new Map<string, number>();
  let latest = '';
  const want = (holds: boolean, path: Path, message: string) => {
    if (!holds) problems.push({ path, message });
  };
  return {
    problems,
    want,
    wantProduct: (id, path) => {
      const name = family.replaceAll('_', '-');
      const holds = products.get(id)?.family === family;
      want(holds, path, `product ${id} is no ${name} product of products.json`);
    },
    wantNewNumber: (number, path) => {
      const [list, position] = path;
      const before = numbers.get(number);
      numbers.set(number, position);
      want(before === undefined, path, `policy number ${number} is also that of ${list}.${before}`);
    },
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
