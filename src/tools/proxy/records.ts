/* Checks that need only the response. They are all that a proxy can do with records from before it started. */

import type { Operation } from '../../api/operation.ts';
import { LIST_ORDER } from '../../api/pagination.ts';
import type { ReceivedResponse } from '../../kit/receive.ts';
import { familyScenarios } from '../../scenarios/index.ts';
import { isObject, pathInside, valueAt } from '../../scenarios/json.ts';
import type { DatedRecord } from '../../scenarios/scenario.ts';
import { instantOf } from '../../world/time.ts';
import { localDay } from '../../world/time-zone.ts';
import { type Finding, finding } from '../check/differences.ts';
import { insideOf, metaOf } from '../check/schemas.ts';
import { familyOf } from '../check/twin.ts';
import { type Exchange, type KnownCall, queryOf, sentJson } from './exchange.ts';
import { ISSUED } from './live-twin.ts';

/** Findings in a success that the twin knows nothing about, besides its form. */
export function unknownFindings(
  exchange: Exchange,
  call: KnownCall,
  response: ReceivedResponse,
): Finding[] {
  const { operation } = call;
  const { messageKey, message } = operation.envelope;
  const received = valueAt(response.body, messageKey);
  const findings = [
    ...numberFindings(exchange, call, response),
    ...recordFindings(valueAt(response.body, 'data'), '$.data', operation),
  ];
  if (response.status !== 200)
    findings.push(finding('status', '200', response.status, ['http-status']));
  if (received !== message && typeof received === 'string') {
    const path = `$.${messageKey}`;
    findings.push(finding(path, JSON.stringify(message), received, ['success-messages']));
  }
  return findings;
}

/** Checks that a look-up returns the requested policy. */
function numberFindings(
  exchange: Exchange,
  call: KnownCall,
  response: ReceivedResponse,
): Finding[] {
  const shape = insideOf(call.operation.success.shape.data as never).shape ?? {};
  const field = Object.keys(shape).find((name) => metaOf(shape[name] as never)['x-key']);
  const answered: unknown = field && valueAt(response.body, `data.${field}`);
  const asked = askedNumber(exchange, call);
  if (typeof answered !== 'string' || asked === undefined) return [];
  if (asked === answered || asked.trim() === answered) return [];
  const assumptions = metaOf(shape[field as string] as never)['x-assumptions'];
  return [finding(`$.data.${field}`, JSON.stringify(asked), answered, assumptions)];
}

/** The policy number in a request: of several spellings, the first that the operation knows. */
function askedNumber(exchange: Exchange, { operation, params }: KnownCall): string | undefined {
  const body: unknown = sentJson(exchange);
  const named = Object.keys(operation.input?.shape ?? {})
    .filter((field) => ISSUED[field] && field !== 'token')
    .map((field) => valueAt(body, field))
    .filter((value) => typeof value === 'string')
    .find((value) => value.trim() !== '');
  return named ?? params.policy_no;
}

/** Checks that the dates of a record fit each other. */
function recordFindings(data: unknown, path: string, operation: Operation): Finding[] {
  const [record, at] = valueAt(data, 'subscriptions.start_date')
    ? [valueAt(data, 'subscriptions'), pathInside(path, 'subscriptions')]
    : [data, path];
  if (!isDated(record)) return [];
  const family = familyOf(operation)?.key;
  const expected = familyScenarios.find((each) => each.family === family)?.endOf(record);
  if (expected === undefined || record.end_date === expected[0]) return [];
  const [end, assumption] = expected;
  return [finding(pathInside(at, 'end_date'), JSON.stringify(end), record.end_date, [assumption])];
}

/** Whether a record says when its cover starts and ends. */
const isDated = (record: unknown): record is DatedRecord & { readonly end_date: string } =>
  isObject(record) && typeof record.start_date === 'string' && typeof record.end_date === 'string';

/** When a record of a list was created. */
function createdAt(record: unknown): string | undefined {
  const at = valueAt(record, 'subscriptions.created_at') ?? valueAt(record, 'created_at');
  return typeof at === 'string' ? at : undefined;
}

/** Checks a list without the twin: dates, order, and records outside the requested dates. */
export function listFindings(
  { target }: Exchange,
  { operation }: KnownCall,
  { body }: ReceivedResponse,
): Finding[] {
  const listOrder = LIST_ORDER.in(operation.settings);
  const data: unknown = valueAt(body, 'data');
  const page = operation.request.query === undefined ? undefined : valueAt(data, 'data');
  const [records, path] = Array.isArray(page) ? [page, '$.data.data'] : [data, '$.data'];
  if (!Array.isArray(records)) return [];
  const query = new URLSearchParams(queryOf(target));
  const dayIn = (field: string) => /^\d{4}-\d\d-\d\d$/.exec(query.get(field) ?? '')?.[0];
  const [first, last] = [dayIn('start_date'), dayIn('end_date')];
  const findings = records.flatMap((record, position) =>
    recordFindings(record, pathInside(path, position), operation),
  );
  const created = records.map(createdAt);
  const isInOrder = created.every((at, place) => {
    const before = created[place - 1];
    if (at === undefined || before === undefined) return true;
    return listOrder === 'oldest-first' ? before <= at : before >= at;
  });
  if (!isInOrder) findings.push(finding(path, listOrder, created.join(', '), ['list-order']));
  const others = created.filter((at) => {
    if (at === undefined) return false;
    const moment = instantOf(at);
    const made = Number.isNaN(moment) ? at.slice(0, 10) : localDay(operation.settings, moment);
    return (first && made < first) || (last && made > last);
  });
  if (others.length > 0) {
    const days = [first && `from ${first}`, last && `to ${last}`].filter(Boolean).join(' ');
    findings.push(finding(path, `subscriptions ${days}`, others.join(', '), ['list-selection']));
  }
  return findings;
}
