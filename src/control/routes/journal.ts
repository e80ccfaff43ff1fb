import { awaitJournal, clearJournal, listJournal } from '../journal.ts';
import { type ControlRoute, controlRoute } from '../route.ts';
import { Expectation, JournalEntry, JournalQuery } from '../schemas/journal.ts';

/** What a merchant asked and was answered. */
export const journalRoutes: readonly ControlRoute[] = [
  controlRoute({
    operationId: 'listJournal',
    summary: 'List what a merchant asked and was answered, newest first',
    description:
      'The newest 1,000 calls of the merchant API. `token` finds the initiate that issued a token and every verify that sent it.',
    method: 'get',
    path: '/journal',
    over: 'world',
    request: { in: 'query', schema: JournalQuery, numbers: ['status', 'limit'] },
    status: 200,
    answer: JournalEntry,
    list: true,
    refusals: [422],
    handle: ({ tenant }, query) => listJournal(tenant.world, query),
  }),
  controlRoute({
    operationId: 'clearJournal',
    summary: 'Forget the exchanges of a World',
    method: 'delete',
    path: '/journal',
    over: 'world',
    status: 204,
    refusals: [],
    handle: ({ tenant }) => clearJournal(tenant.world),
  }),
  controlRoute({
    operationId: 'awaitJournal',
    summary: 'Wait until exchanges are there',
    description:
      'Answers all exchanges of that kind, newest first, as soon as there are as many as asked for; those that came before count.',
    method: 'post',
    path: '/journal/await',
    over: 'world',
    request: { in: 'body', schema: Expectation, optional: true },
    status: 200,
    answer: JournalEntry,
    list: true,
    refusals: [408, 422],
    handle: ({ tenant, signal }, expectation) => awaitJournal(tenant, expectation, signal),
  }),
];
