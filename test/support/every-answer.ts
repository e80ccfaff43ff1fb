import type { Operation } from '../../src/api/operation.ts';
import type { ErrorCode } from '../../src/world/errors.ts';
import { type Answer, type CallInit, type JourneyClient, lists, operations } from './client.ts';
import {
  acceptedInput,
  exampleOf,
  familyOf,
  initiate,
  namedField,
  policyField,
  UNTIL_EXPIRED,
} from './requests.ts';

/** The response to a call, and the reason of a refusal. */
export interface Answered {
  readonly operationId: string;
  readonly refused: ErrorCode | undefined;
  readonly answer: Answer;
}

/** Every kind of response: all records, each operation, and each refusal of each operation. */
export async function everyAnswer(client: JourneyClient): Promise<Answered[]> {
  const answered: Answered[] = [];
  const ask: Ask = async (operationId, refused, input, init) => {
    const answer = await client.call(operationId, input, init);
    answered.push({ operationId, refused, answer });
    return answer;
  };
  for (const operation of lists) await askForRecords(ask, operation);
  for (const operation of operations) {
    const { operationId } = operation;
    await ask(operationId, undefined, await acceptedInput(client, operationId));
    await askInVain(client, ask, operation);
  }
  return answered;
}

type Ask = (
  operationId: string,
  refused: ErrorCode | undefined,
  input: Readonly<Record<string, unknown>>,
  init?: CallInit,
) => Promise<Answer>;

/** All pages of a list, and each record that can be looked up. */
async function askForRecords(ask: Ask, { operationId, request }: Operation): Promise<void> {
  const records: Readonly<Record<string, unknown>>[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const { data } = (await ask(operationId, undefined, request.query ? { page } : {})).body;
    records.push(...(data.data ?? data));
    last = data.last_page ?? 1;
  }
  const lookUps = operations.filter(
    (each) =>
      each.readOnly &&
      each.errors.includes('policy_unknown') &&
      familyOf(each.operationId) === familyOf(operationId),
  );
  for (const record of records) {
    const number = record[policyField(record, operationId)];
    for (const lookUp of lookUps) {
      const field = namedField(lookUp.operationId) as string;
      await ask(lookUp.operationId, undefined, { [field]: number });
    }
  }
}

/** Every declared refusal of an operation, and those of any request with a body. */
async function askInVain(client: JourneyClient, ask: Ask, operation: Operation): Promise<void> {
  const { operationId, request } = operation;
  const example = exampleOf(operationId);
  await ask(operationId, 'unauthenticated', example, { headers: { authorization: undefined } });
  if (request.body) {
    const large = `"${'x'.repeat(1024 * 1024)}"`;
    await ask(operationId, 'malformed', {}, { raw: '{' });
    await ask(operationId, 'too_large', {}, { raw: large });
    const headers = { 'content-type': 'text/plain' };
    await ask(operationId, 'unsupported_media_type', example, { headers });
    await ask(operationId, 'invalid', {});
  } else if (request.query) await ask(operationId, 'invalid', { per_page: 0 });
  const field = namedField(operationId);
  if (field !== 'token') {
    if (field !== undefined) await ask(operationId, 'policy_unknown', { ...example, [field]: '0' });
    return;
  }
  await ask(operationId, 'token_unknown', { token: 'x' });
  const used = await acceptedInput(client, operationId);
  await ask(operationId, undefined, used);
  await ask(operationId, 'token_used', used);
  const token = await initiate(client, familyOf(operationId));
  await client.merchant.clock.advance(UNTIL_EXPIRED);
  // Under a profile a token is still valid at its last moment.
  await client.merchant.clock.advance('PT1S');
  await ask(operationId, 'token_expired', { token });
}
