/*
 * A typed program that uses the package. Several compilers compile it, as `import` and as `require`,
 * and it runs if there is output. Only Node's types are available.
 */
import {
  ControlError,
  connect,
  createSandbox,
  type FaultRule,
  FixtureError,
  type FixtureFiles,
  type JournalEntry,
  type Merchant,
  type MicroHealthInitiateRequest,
  type MicroHealthVerifyResponse,
  type MotorPolicy,
  type NewFault,
  type OperationId,
  type Operations,
  type Profile,
  type Sandbox,
  type SandboxOptions,
  sampleRequests,
} from 'micro-insurance-sandbox';
import {
  FileError,
  ListenError,
  type SandboxServer,
  type ServerOptions,
  startSandbox,
} from 'micro-insurance-sandbox/node';

const options: SandboxOptions = { seed: 7, clock: 'frozen', now: new Date('2026-01-31T10:00:00Z') };
export const profile: Profile = {
  version: 1,
  decisions: { 'http-status': { motor: { invalid: 400 } } },
};
export const fixtures: FixtureFiles = {
  'motor.json': { premium_rates: [{ product_id: 4, rate: 0.04 }] },
};
const onAPort: ServerOptions = { ...options, port: 0 };
const BASE = '/api/merchant/micro_health';

export const refused = (merchant: Merchant): unknown[] => [
  // @ts-expect-error a seed is a number
  createSandbox({ seed: 'seven' }),
  // @ts-expect-error the operation has another name
  merchant.journal.list({ operation: 'verifyMicroHealth' }),
];

// @ts-expect-error no operation has this name
export type Unknown = Operations['verifyMotor'];

/** Journal entries have the types of their request and response. */
const soldIn = (entry: JournalEntry): readonly (string | undefined)[] => {
  if (entry.operation !== 'verifyMicroHealthSubscription') return [];
  const sent: Operations['verifyMicroHealthSubscription']['body'] | null = entry.request.body;
  const answered = entry.response?.body;
  return [sent?.token, answered?.success === true ? answered.data.policy_no : undefined];
};

const whyOf = (error: unknown): readonly string[] => {
  if (error instanceof FixtureError) return error.problems.map(({ message }) => message);
  if (error instanceof ControlError) return [error.problem.detail];
  return error instanceof ListenError || error instanceof FileError ? [error.message] : [];
};

const ada: MicroHealthInitiateRequest = {
  ...sampleRequests.initiateMicroHealthSubscription,
  first_name: 'Adaeze',
};

/** A typed request: a body of another operation does not compile. */
async function call<Id extends OperationId>(
  { apiKey }: Merchant,
  url: string,
  body: Operations[Id]['body'],
): Promise<Operations[Id]['response']> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Operations[Id]['response'];
}

async function main(): Promise<void> {
  await using server: SandboxServer = await startSandbox(onAPort);
  await using sandbox: Sandbox = createSandbox(options);
  const merchant: Merchant = server.sandbox.createMerchant({ records: 'demo' });
  const lost: NewFault = { stage: 'after', effect: { kind: 'drop' } };
  const rule: FaultRule = merchant.faults.add(lost);
  merchant.faults.remove(rule.id);

  const operation = 'verifyMicroHealthSubscription';
  const url = `${server.url}${BASE}`;
  const { data } = await call<'initiateMicroHealthSubscription'>(merchant, `${url}/initiate`, ada);
  const verified: MicroHealthVerifyResponse = await call<typeof operation>(
    merchant,
    `${url}/verify`,
    { token: data.token },
  );
  const entries: JournalEntry<typeof operation>[] = merchant.journal.list({ operation });

  const car: MotorPolicy = await merchant.buy('motor', { vehicle_make: 'Honda' });
  const far: MotorPolicy[] = (
    await (
      await connect({ url: server.url }).merchant(merchant.apiKey)
    ).records({ family: 'motor' })
  ).data;
  if (far[0]?.vehicle_make !== car.vehicle_make) throw new Error('The remote merchant is another');
  if (car.vehicle_make !== 'Honda') throw new Error('The policy is of another car');

  globalThis.fetch = sandbox.fetch;
  const response: Response = await fetch('/livez');
  try {
    sandbox.merchant('sk_nobody');
  } catch (error) {
    const [sent, bought] = entries.flatMap(soldIn);
    const told = [response.status, sent === data.token, bought === verified.data.policy_no];
    console.log(JSON.stringify([...told, whyOf(error)]));
  }
}

void main();
