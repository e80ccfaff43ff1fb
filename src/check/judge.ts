import type { Settings } from '../core/settings.ts';
import { successSchema } from '../http/answer-schemas.ts';
import type { Operation } from '../http/operation.ts';
import type { Reply } from './connection.ts';
import { judgeRefusal } from './judge-refusal.ts';
import { at, type Claim, type Json, jsonPath, type Memory, type Probe } from './probe.ts';
import { misshapes } from './shape.ts';
import { add, type Bench, claim, nothing, type Verdict } from './verdict.ts';

/** Holds the answer to a probe against what the probe, the contract and the decisions say. */
export function judge(probe: Probe, reply: Reply, bench: Bench): Verdict {
  const verdict = nothing();
  const { body } = reply;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const type = reply.headers.get('content-type') ?? 'no type';
    add(verdict, '$', 'a JSON object', `${reply.status} ${type}: ${reply.text}`, [
      'error-envelope',
    ]);
    return verdict;
  }
  const refused =
    (body as Json).success === false ||
    ((body as Json).success === undefined && reply.status >= 400);
  for (const decision of probe.decisions ?? []) {
    verdict.observed.push({ decision, key: 'refused', value: refused });
  }
  if (probe.refused) judgeRefusal(verdict, probe, probe.refused, reply, refused, bench);
  else judgeSuccess(verdict, probe, reply, refused, bench);
  return verdict;
}

function judgeSuccess(
  verdict: Verdict,
  probe: Probe,
  { status, body }: Reply,
  refused: boolean,
  { operation, settings, memory }: Bench,
): void {
  const { decisions = [] } = probe;
  if (refused) {
    add(verdict, '$.success', 'true', { status, body }, decisions);
    return;
  }
  verdict.confirmed.push(...decisions);
  claim(verdict, 'status', '200', status, status === 200, ['http-status']);
  const declared = unlisted(operation, settings, body);
  for (const { path, ...misshape } of misshapes(successSchema(operation), declared)) {
    add(verdict, path, misshape.expected, misshape.seen, misshape.decisions);
  }
  const { messageKey } = operation.envelope;
  const message = at(body, messageKey);
  const expected = settings.messages.success[operation.operationId] ?? operation.message;
  verdict.observed.push({
    decision: 'success-messages',
    key: operation.operationId,
    value: message,
  });
  claim(verdict, `$.${messageKey}`, JSON.stringify(expected), message, message === expected, [
    'success-messages',
  ]);
  const { data } = body as Json;
  for (const each of told(verdict, probe, data ?? {}, memory)) {
    const keys = each.path === '' ? [] : each.path.split('.');
    const seen = at(data, each.path);
    claim(
      verdict,
      jsonPath(['data', ...keys]),
      each.expected,
      seen,
      each.holds(seen),
      each.decisions,
    );
  }
}

/** What a probe has to say of the data; data too far from its form says nothing more. */
function told(verdict: Verdict, probe: Probe, data: Json, memory: Memory): readonly Claim[] {
  try {
    verdict.observed.push(...(probe.observe?.(data, memory) ?? []));
    return probe.claims?.(data, memory) ?? [];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    add(verdict, '$.data', 'data of the declared form', data, []);
    return [];
  }
}

/** The form an answer has once a profile's list of one subscription is out of its list. */
function unlisted(operation: Operation, settings: Settings, body: Json): Json {
  const listed = operation.operationId === 'listMicroHealthSubscriptions';
  if (!listed || settings.subscriptionsKey === 'object' || !Array.isArray(body.data?.data)) {
    return body;
  }
  const out = (subscriptions: Json) =>
    Array.isArray(subscriptions) && subscriptions.length === 1 ? subscriptions[0] : [subscriptions];
  const data = body.data.data.map((item: Json) => ({
    ...item,
    subscriptions: out(item?.subscriptions),
  }));
  return { ...body, data: { ...body.data, data } };
}
