/* Walks all pages of a list: each record stands on one of them, and their number is the total. */

import type { Operation } from '../../api/operation.ts';
import type { ReceivedResponse } from '../../kit/receive.ts';
import { valueAt } from '../../scenarios/json.ts';
import { isAccepted } from '../../scenarios/received.ts';
import type { Input } from '../../scenarios/scenario.ts';
import { MAX_PAGE_SIZE } from '../../world/limits.ts';
import { causeOf, type Finding, finding } from './differences.ts';
import type { PlayedCall } from './play.ts';
import { numberOf } from './twin.ts';

/** Lists a merchant's records with these parameters. */
type List = (input: Input) => Promise<ReceivedResponse>;

/** About so many pages are requested of a list, and at most twice as many. */
const PAGES = 50;

const SCENARIO = 'All pages of a list';

/**
 * Requests every page of a list. Returns nothing if there is only one, if a page is refused or has no list, or if the
 * list has changed meanwhile; a list that is too long is returned as not asked.
 */
export async function walkPages(
  { operationId: operation, request }: Operation,
  list: List,
): Promise<PlayedCall[]> {
  if (request.query === undefined) return [];
  const total = totalOf(await list({}));
  const size = Math.min(Math.max(Math.ceil(total / PAGES), 2), MAX_PAGE_SIZE);
  const about = { scenario: SCENARIO, operation, shows: 'with every page' };
  const walked = { ...about, assumptions: [], rests: [], agreed: new Set<string>() };
  const numbers = new Set<unknown>();
  const findings: Finding[] = [];
  for (let [page, last] = [1, 1]; page <= last; page++) {
    const answer = await list({ per_page: String(size), page: String(page) });
    if (!isAccepted(answer) || totalOf(answer) !== total) return [];
    last = Number(valueAt(answer.body, 'data.last_page'));
    if (!(last > 1)) return [];
    if (last > PAGES * 2) {
      const notAsked = `a list of ${last} pages is too long to request all of them`;
      return [{ ...walked, notAsked, findings: [] }];
    }
    const records = valueAt(answer.body, 'data.data');
    if (!Array.isArray(records)) return [];
    for (const [place, record] of records.entries()) {
      const number = numberOf(record);
      if (number === undefined) return [];
      if (numbers.has(number)) findings.push(repeated(`$.data.data[${place}]`, number));
      numbers.add(number);
    }
  }
  if (findings.length === 0 && numbers.size !== total) {
    findings.push(
      finding('$.data.total', `${numbers.size}: all pages have as many records`, total),
    );
  }
  const located = findings.map((found) => ({ ...found, ...about }));
  return [{ ...walked, notAsked: undefined, findings: located }];
}

const totalOf = ({ body }: ReceivedResponse): number => Number(valueAt(body, 'data.total'));

const repeated = (path: string, number: unknown): Finding => ({
  ...finding(path, 'each record on one page', number, ['list-order']),
  cause: causeOf('repeated record'),
});
