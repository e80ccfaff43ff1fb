/*
 * What a program of types asks of the package: compiled as `import` and as `require`, by several compilers, and
 * run once. Nothing but Node's own types is there beside it.
 */
import {
  ControlError,
  createSandbox,
  type FaultRule,
  FixtureError,
  type JournalEntry,
  type Merchant,
  type MotorVerifyRequest,
  type NewFault,
  type Operations,
  type Sandbox,
  type SandboxOptions,
} from 'micro-insurance-sandbox';
import {
  FileError,
  ListenError,
  type SandboxServer,
  type ServerOptions,
  startSandbox,
} from 'micro-insurance-sandbox/node';

const options: SandboxOptions = { seed: 7, clock: 'frozen', now: new Date('2026-01-31T10:00:00Z') };
const onAPort: ServerOptions = { ...options, port: 0 };

// @ts-expect-error a chance is a number
export const refused = (): Sandbox => createSandbox({ seed: 'seven' });

// @ts-expect-error no call has this name
export type Unknown = Operations['verifyMotor'];

/** The journal knows what each call takes and answers. */
const soldIn = (entry: JournalEntry): readonly (string | undefined)[] => {
  if (entry.operation !== 'verifyMotorPolicy') return [];
  const sent: MotorVerifyRequest | null = entry.request.body;
  const answered: Operations['verifyMotorPolicy']['response' | 'failure'] | null | undefined =
    entry.response?.body;
  return [sent?.token, answered?.success === true ? answered.data.policy_number : undefined];
};

const whyOf = (error: unknown): readonly string[] => {
  if (error instanceof FixtureError) return error.problems;
  if (error instanceof ControlError) return [error.problem.detail];
  return error instanceof ListenError || error instanceof FileError ? [error.message] : [];
};

async function main(): Promise<void> {
  await using sandbox: Sandbox = createSandbox(options);
  const merchant: Merchant = sandbox.createMerchant({ records: 'demo' });
  const lost: NewFault = { stage: 'after', effect: { kind: 'drop' } };
  const rule: FaultRule = merchant.faults.add(lost);
  merchant.faults.remove(rule.id);
  const entries: JournalEntry[] = merchant.journal.list({ status: 200 });
  await using server: SandboxServer = await startSandbox(onAPort);
  const response: Response = await fetch(`${server.url}/livez`);
  globalThis.fetch = sandbox.fetch;
  try {
    sandbox.merchant('sk_nobody');
  } catch (error) {
    console.log(JSON.stringify([response.status, entries.flatMap(soldIn).length, whyOf(error)]));
  }
}

void main();
