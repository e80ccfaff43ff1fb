import type { Settings } from '../../core/settings.ts';
import type { Operation } from '../../http/operation.ts';
import { pageNumber } from '../../http/pagination.ts';
import { type Assertion, type Json, matches, satisfies } from '../assertions.ts';
import type { ExchangeRules } from '../exchange-rules.ts';
import type { Observation } from '../probe.ts';
import { observeOrder } from './lists.ts';
import { observePageUrls, pageAssertions } from './pages.ts';

/* Lists, whoever asked for them. */

type Order = readonly (string | number)[];

/** How often a list goes up, and how often down. */
function steps(values: Order): readonly [number, number] {
  let [up, down] = [0, 0];
  for (const [place, value] of values.entries()) {
    const before = values[place - 1];
    if (before === undefined || before === value) continue;
    if (before < value) up += 1;
    else down += 1;
  }
  return [up, down];
}

/** That the elements of a list stand in the order of what they were made at. */
export function orderAssertions(
  path: string,
  made: Order,
  { listOrder }: Pick<Settings, 'listOrder'>,
): Assertion[] {
  const [up, down] = steps(made);
  if (up + down === 0) return [];
  const holds = listOrder === 'oldest-first' ? down === 0 : up === 0;
  return [satisfies(path, listOrder, () => holds, 'list-order')];
}

export function observeListOrder(made: Order): Observation[] {
  const [up, down] = steps(made);
  return up > 0 && down > 0 ? [] : observeOrder(down, up);
}

interface PagedExchanges {
  readonly operation: Operation;
  readonly settings: Settings;
  /** When an element was made. */
  madeAt(item: Json): string;
  /** What an element says of itself. */
  ofItem(path: string, item: Json): readonly Assertion[];
  observe?(item: Json): readonly Observation[];
}

const itemsOf = (data: Json): readonly Json[] => (Array.isArray(data.data) ? data.data : []);

/** A paginated list: its arithmetic, its addresses, its order, and what each element says of itself. */
export const pagedExchanges = (list: PagedExchanges): ExchangeRules => {
  const { operation, settings } = list;
  const address = new RegExp(`^https?://[^?]*${operation.path}$`);
  return {
    assertions: (data, { sent }) => {
      const made = itemsOf(data).map(list.madeAt);
      return [
        ...(sent ? askedAssertions(data, sent, settings) : []),
        matches('path', address, `the address of the call, …${operation.path}`),
        ...orderAssertions('data', made, settings),
        ...itemsOf(data).flatMap((item, place) => list.ofItem(`data.${place}`, item)),
      ];
    },
    observe: (data, { sent }) => [
      ...(sent && sent.per_page === undefined
        ? [{ assumption: 'list-selection', key: 'per_page', value: data.per_page } as const]
        : []),
      ...(sent ? observePageUrls(data, keptOf(sent)) : []),
      ...observeListOrder(itemsOf(data).map(list.madeAt)),
      ...itemsOf(data)
        .slice(0, 1)
        .flatMap((item) => list.observe?.(item) ?? []),
    ],
  };
};

function keptOf({ page: _page, ...kept }: Json): Readonly<Record<string, string>> {
  return kept;
}

const askedAssertions = (data: Json, sent: Json, settings: Settings): Assertion[] =>
  pageAssertions(
    data,
    Number(sent.per_page ?? settings.pageSize),
    pageNumber(sent.page),
    settings.pageUrls === 'keep' ? keptOf(sent) : {},
  );
