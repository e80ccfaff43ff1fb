import type { Operation } from '../../api/operation.ts';
import { LIST_ORDER } from '../../api/pagination.ts';
import { familyScenarios } from '../../scenarios/index.ts';
import { type Json, pathInside, valueAt } from '../../scenarios/json.ts';
import type { ReceivedResponse } from '../../scenarios/received.ts';
import { insideOf, metaOf } from '../check/compare.ts';
import { type Finding, finding } from '../check/differences.ts';
import { familyOf } from '../check/twin.ts';
import { type Exchange, type KnownCall, queryOf, sentJson } from './exchange.ts';
import { ISSUED } from './live-twin.ts';

/* Checks that need only the response. They are all that a proxy can do with records from before it started. */

/** Findings in a success that the twin knows nothing about, besides its form. */
export function unknownFindings(
  exchange: Exchange,
  call: KnownCall,
  seen: ReceivedResponse,
): Finding[] {
  const { operation } = call;
  const { messageKey, message } = operation.envelope;
  const said = valueAt(seen.body, messageKey);
  const findings = [
    ...numberFindings(exchange, call, seen),
    ...recordFindings(valueAt(seen.body, 'data'), '$.data', operation),
  ];
  if (seen.status !== 200) findings.push(finding('status', '200', seen.status, ['http-status']));
  if (said !== message && typeof said === 'string') {
    const path = `$.${messageKey}`;
    findings.push(finding(path, JSON.stringify(message), said, ['success-messages']));
  }
  return findings;
}

/** Checks that a look-up returns the requested policy. */
function numberFindings(exchange: Exchange, call: KnownCall, seen: ReceivedResponse): Finding[] {
  const shape = insideOf(call.operation.success.shape.data as never).shape ?? {};
  const field = Object.keys(shape).find((name) => metaOf(shape[name] as never)['x-key']);
  const answered: Json = field && valueAt(seen.body, `data.${field}`);
  const asked = askedNumber(exchange, call);
  if (typeof answered !== 'string' || asked === undefined) return [];
  if (asked === answered || asked.trim() === answered) return [];
  const assumptions = metaOf(shape[field as string] as never)['x-assumptions'];
  return [finding(`$.data.${field}`, JSON.stringify(asked), answered, assumptions)];
}

/** The policy number in a request: of several spellings, the first that the operation knows. */
function askedNumber(exchange: Exchange, { operation, params }: KnownCall): string | undefined {
  const body: Json = sentJson(exchange);
  const named = Object.keys(operation.input?.shape ?? {})
    .filter((field) => ISSUED[field] && field !== 'token')
    .map((field) => body?.[field])
    .find((value) => typeof value === 'string' && value.trim() !== '');
  return named ?? params.policy_no;
}

/** Checks that the dates of a record fit each other. */
function recordFindings(data: Json, path: string, operation: Operation): Finding[] {
  const [record, at] = data?.subscriptions?.start_date
    ? [data.subscriptions, pathInside(path, 'subscriptions')]
    : [data, path];
  if (typeof record?.start_date !== 'string' || typeof record.end_date !== 'string') return [];
  const family = familyOf(operation)?.key;
  const expected = familyScenarios.find((each) => each.family === family)?.endOf(record);
  if (expected === undefined || record.end_date === expected[0]) return [];
  const [end, assumption] = expected;
  return [finding(pathInside(at, 'end_date'), JSON.stringify(end), record.end_date, [assumption])];
}

/** When a record of a list was created. */
const createdAt = (record: Json): string | undefined =>
  valueAt(record, 'subscriptions.created_at') ?? valueAt(record, 'created_at');

/** Checks a list without the twin: dates, order, and records outside the requested dates. */
export function listFindings(
  { target }: Exchange,
  { operation }: KnownCall,
  { body }: ReceivedResponse,
): Finding[] {
  const listOrder = LIST_ORDER.in(operation.settings);
  const data: Json = valueAt(body, 'data');
  const isPaged = operation.request.query !== undefined && Array.isArray(data?.data);
  if (!Array.isArray(data) && !isPaged) return [];
  const [records, path]: [Json[], string] = isPaged ? [data.data, '$.data.data'] : [data, '$.data'];
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
    const made = String(at).slice(0, 10);
    return at !== undefined && ((first && made < first) || (last && made > last));
  });
  if (others.length > 0) {
    const days = [first && `from ${first}`, last && `to ${last}`].filter(Boolean).join(' ');
    findings.push(finding(path, `subscriptions ${days}`, others.join(', '), ['list-selection']));
  }
  return findings;
}
