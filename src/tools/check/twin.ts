/* The twin: a sandbox in this process that answers as the contract says. */

import { failureForms } from '../../api/failures.ts';
import type { Operation } from '../../api/operation.ts';
import { HTTP_STATUS, PUBLISHED_STATUSES, type Statuses } from '../../api/refusals.ts';
import { withoutContradictions } from '../../control/contradictions.ts';
import { applyProfile } from '../../control/profile.ts';
import { parseJson, type ReceivedResponse } from '../../kit/receive.ts';
import { openSandbox } from '../../open-sandbox.ts';
import type { ProductFamily } from '../../products/family.ts';
import { builtInFiles, fileOf } from '../../products/fixtures.ts';
import { createFamilies } from '../../products/index.ts';
import { anyFamilies, settledNow, stateOf, type World } from '../../products/world.ts';
import type { Merchant } from '../../public.ts';
import type { ServerCatalogue } from '../../scenarios/catalogue.ts';
import { listAt, valueAt } from '../../scenarios/json.ts';
import { isAccepted } from '../../scenarios/received.ts';
import { stepRequest } from '../../scenarios/requests.ts';
import { type Input, isCall, type ScenarioCall } from '../../scenarios/scenario.ts';
import type { ErrorCode } from '../../world/errors.ts';
import type { Settings } from '../../world/settings.ts';
import { PUBLISHED } from '../../world/settings.ts';
import { type Instant, isCalendarDay, startOfDay, timestamp } from '../../world/time.ts';
import { zoneOf } from '../../world/time-zone.ts';
import { PLACEHOLDER } from './compare.ts';
import { momentsOf, type RecordedStep, type Recording } from './record.ts';

/** The products and the profile of a twin. */
export interface TwinConfig {
  readonly catalogue: ServerCatalogue;
  /** The `decisions` of a profile. */
  readonly decisions: Readonly<Record<string, unknown>>;
}

/** A response of the twin. */
export interface TwinAnswer extends ReceivedResponse {
  /** The reason of a refusal; undefined for a success. */
  readonly code: ErrorCode | undefined;
  /** The expected HTTP status. */
  readonly due: number;
}

/** A sandbox in this process that replays requests, with the server's products and prices. */
export interface Twin {
  /** An operation as the settings of the twin make it. */
  operationOf(operation: Operation): Operation;
  /** Replays a scenario. Yields each step with the twin's responses; none if the twin cannot send it. */
  replay(
    recording: Recording,
    base: string,
  ): AsyncGenerator<{ readonly recorded: RecordedStep; readonly answers: readonly TwinAnswer[] }>;
}

/** A unique status for each kind of refusal, for use inside the twin. */
export const MARKS: Statuses = Object.fromEntries(
  Object.keys(PUBLISHED_STATUSES).map((code, place) => [code, 460 + place]),
) as Statuses;

/** The profile of the sandbox inside a twin. A second verify that returns something else has no mark of its own. */
export const twinProfile = (decisions: TwinConfig['decisions']) => ({
  version: 1,
  decisions: withoutContradictions({ ...decisions, 'http-status': MARKS }),
});

/** Throws `ControlError` if the profile cannot be used. */
export function createTwin({ catalogue, decisions }: TwinConfig, fallback: Instant): Twin {
  const settings = applyProfile(PUBLISHED, { version: 1, decisions });
  const { sandbox, store } = openSandbox({
    fixtures: fixturesOf(catalogue),
    profile: twinProfile(decisions),
    redact: false,
  });

  const { operations } = createFamilies(settings);
  const operationOf = (operation: Operation) =>
    operations.find(({ operationId }) => operationId === operation.operationId) ??
    // Scenarios call a path of no operation too.
    refusingAs(operation, settings);

  return {
    operationOf,
    async *replay(recording, base) {
      const moments = momentsOf(recording, fallback);
      const start = recording.startsAt ?? (moments[0] as Instant);
      const create = () =>
        sandbox.createMerchant({ now: new Date(start).toISOString(), mode: 'frozen' });
      const [merchant, other] = [create(), create()];
      const answers = new Map<string, unknown>();
      let oldKey: string | undefined;
      for (const [place, recorded] of recording.steps.entries()) {
        const { step } = recorded;
        if (recording.startsAt === undefined) moveTo([merchant, other], moments[place] as Instant);
        else if ('advance' in step) merchant.clock.advance(iso(step.advance));
        if ('rotateKey' in step) {
          oldKey = merchant.apiKey;
          merchant.rotateKey();
        }
        if (!isCall(step)) continue;
        if (recorded.answers.length === 0) {
          yield { recorded, answers: [] };
          continue;
        }
        const { statuses } = operationOf(step.operation);
        const by = step.by === 'other' ? other : merchant;
        const send = async ({ apiKey: key }: Merchant) => {
          const request = stepRequest({ base, key, oldKey }, step, answers);
          if (typeof request === 'string') return;
          return twinAnswer(await sandbox.fetch(request), statuses);
        };
        let received = await Promise.all(recorded.answers.map(() => send(by)));
        const more = lengthOf(recorded.answers[0]) - lengthOf(received[0]);
        if (!recording.isExclusive && more > 0 && more <= MAX_PLACEHOLDERS) {
          const now = by.clock.show().now;
          const standIn = sandbox.createMerchant({ now, mode: 'frozen' });
          const [from, to] = [by, standIn].map(({ apiKey }) => store.byKey.get(apiKey)?.world);
          copyRecords(from as World, to as World, step, more);
          received = [await send(standIn)];
          standIn.remove();
        }
        const answered = received.filter((answer) => answer !== undefined);
        answered.sort((a, b) => Number(isAccepted(b)) - Number(isAccepted(a)));
        const [first] = answered;
        if (step.as !== undefined && first && isAccepted(first)) {
          answers.set(step.as, valueAt(first.body, 'data'));
        }
        yield { recorded, answers: answered };
      }
      for (const each of [merchant, other]) each.remove();
    },
  };
}

/** The operation of a call, with refusals of these settings. */
const refusingAs = (operation: Operation, settings: Settings): Operation => ({
  ...operation,
  settings,
  statuses: HTTP_STATUS.in(settings),
  failure: failureForms(operation.envelope, settings),
});

/** Reads the response of a sandbox that uses `MARKS` in place of these statuses. */
export async function twinAnswer(response: Response, statuses: Statuses): Promise<TwinAnswer> {
  const { status, headers } = response;
  const code = (Object.keys(MARKS) as ErrorCode[]).find((each) => MARKS[each] === status);
  const due = code ? statuses[code] : status;
  const text = await response.text();
  return { status: due, headers, text, body: parseJson(text), code, due };
}

const iso = (ms: number): string => `PT${ms / 1000}S`;

function moveTo(merchants: readonly Merchant[], at: Instant): void {
  for (const { clock } of merchants) {
    if (Date.parse(clock.show().now) < at) clock.advance({ to: new Date(at).toISOString() });
  }
}

/** The fixtures of a twin: the catalogue, without records. */
export const fixturesOf = ({ products, records }: ServerCatalogue) => ({
  'merchants.json': { merchants: [] },
  'products.json': { products },
  ...Object.fromEntries(
    anyFamilies.map((family) => [
      fileOf(family),
      { ...records[family.key], [family.policyList]: [] },
    ]),
  ),
});

/** The family of an operation. */
export const familyOf = ({
  operationId,
}: Pick<Operation, 'operationId'>): ProductFamily | undefined =>
  anyFamilies.find(({ operations }) => operations.some((each) => each.operationId === operationId));

/** Maximum number of placeholders in a list. */
export const MAX_PLACEHOLDERS = 20_000;

/**
 * Copies the records of a list to another World, after placeholders for the server's additional records, so that both
 * lists have the same pages.
 */
export function copyRecords(
  from: World,
  to: World,
  { operation, input }: Pick<ScenarioCall, 'operation' | 'input'>,
  more: number,
): void {
  const family = familyOf(operation) as ProductFamily;
  const records = family.policiesOf(stateOf(from, family)).list;
  const [template] = records.length > 0 ? records : exampleRecords(family, settledNow(from));
  const product = [...to.products.values()].find((each) => each.family === family.key);
  const sold = {
    ...template,
    ...(template && 'product_id' in template && { product_id: product?.id }),
  };
  const places = Array.from({ length: more }, (_, place) =>
    placeholder(sold, `${from.merchant_id}-${place}`, input, to.settings),
  );
  family.policiesOf(stateOf(to, family)).loadAll([...places, ...records]);
}

/** The length of a list; NaN for anything else. */
export const lengthOf = (answer: ReceivedResponse | undefined): number => {
  const data = valueAt(answer?.body, 'data');
  return Array.isArray(data) ? data.length : Number(valueAt(data, 'total'));
};

/** The policy number of a record in a list. */
export const numberOf = (record: unknown): unknown =>
  valueAt(record, 'policy_no') ?? valueAt(record, 'policy_number');

/** Whether a list of the twin contains a record of the check, not only placeholders. */
export const hasOwnRecords = (answer: ReceivedResponse | undefined): boolean => {
  const data = valueAt(answer?.body, 'data');
  return [...listAt(data, ''), ...listAt(data, 'data')].some(
    (record) => !String(numberOf(record)).startsWith(PLACEHOLDER),
  );
};

/** Built-in records as if they were bought now, so that a list of this month selects them. */
function exampleRecords(family: ProductFamily, now: Instant): readonly object[] {
  const written = valueAt(builtInFiles[fileOf(family)], family.policyList);
  return (written as readonly { readonly subscriptions?: object }[]).map((record) => ({
    ...record,
    ...(record.subscriptions && {
      subscriptions: { ...record.subscriptions, created_at: timestamp(now) },
    }),
  }));
}

/** A placeholder record, on the first day that the list selects. */
function placeholder(
  template: object,
  place: string,
  { start_date, end_date }: Input,
  settings: Settings,
): object {
  const [number, first] = [`${PLACEHOLDER}-${place}`, String(start_date ?? end_date)];
  const { subscriptions } = template as { subscriptions?: { created_at: string } };
  const created_at = isCalendarDay(first)
    ? timestamp(zoneOf(settings).instantOf(startOfDay(first)))
    : undefined;
  const isEarlier =
    subscriptions && created_at !== undefined && created_at < subscriptions.created_at;
  return {
    ...template,
    ...('policy_number' in template && { policy_number: number }),
    ...('policy_no' in template && { policy_no: number }),
    ...(isEarlier && { subscriptions: { ...subscriptions, created_at } }),
  };
}
