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
  type NewFault,
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
    console.log(JSON.stringify([response.status, entries.length, whyOf(error)]));
  }
}

void main();
