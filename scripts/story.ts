import type { SandboxServer } from '../src/node/index.ts';
import { anyFamilies } from '../src/products/world.ts';

/* What an afternoon with the sandbox looks like: calls of all kinds, for pictures and for tests of how pages look. */

const KEY = 'sk_sandbox_demo';
/** Where a story begins, so that every picture shows the same moments. */
export const STORY_START = '2026-01-31T10:00:00Z';

const operations = anyFamilies.flatMap((family) => [...family.operations]);

interface Call {
  readonly changes?: Readonly<Record<string, unknown>>;
  readonly key?: string;
  readonly fault?: string;
}

/**
 * Calls the demo merchant of a sandbox that was just started, and leaves a pending purchase and a fault there.
 * Answers the id of the last call: a refusal for two reasons.
 */
export async function playStory({ url, sandbox }: SandboxServer): Promise<string> {
  const demo = sandbox.merchant(KEY);
  sandbox.createMerchant({ name: 'Corner Shop', now: STORY_START, mode: 'frozen' });

  /** Sends the documented example of an operation, with changes. Answers the token it was given, if any. */
  const call = async (operationId: string, { changes, key = KEY, fault }: Call = {}) => {
    const operation = operations.find((each) => each.operationId === operationId);
    if (!operation) throw new Error(`There is no operation ${operationId}`);
    const { method, path, request } = operation;
    const example = request.body?.content['application/json'].example;
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(request.body && { 'content-type': 'application/json' }),
          ...(fault !== undefined && { 'sandbox-fault': fault }),
        },
        ...(request.body && { body: JSON.stringify({ ...Object(example), ...changes }) }),
      });
      const { data }: { data?: { token?: string } } = await response.json();
      return data?.token;
    } catch (error) {
      // A fault that takes the connection takes the answer.
      if (fault === undefined) throw error;
      return undefined;
    }
  };

  await call('getMicroHealthQuote');
  await call('listMotorPolicies', { key: 'sk_sandbox_dmeo' });
  const motor = await call('initiateMotorPolicy');
  await call('verifyMotorPolicy', { changes: { token: motor }, fault: 'after; drop' });
  await call('verifyMotorPolicy', { changes: { token: motor } });
  const health = await call('initiateMicroHealthSubscription');
  demo.clock.advance('PT15M');
  await call('verifyMicroHealthSubscription', { changes: { token: health } });
  await call('getMicroHealthQuote', { fault: 'before; respond; status=503' });
  const group = await call('initiateGroupLifePolicy');
  await call('verifyGroupLifePolicy', { changes: { token: group } });
  demo.clock.advance('PT4M30S');
  await call('initiateMotorPolicy', { changes: { email: 'ada@example.org' } });
  await call('initiateMicroHealthSubscription', {
    changes: { phone_no: '0803123456', amount: 650 },
  });
  demo.faults.add({
    match: { operation: 'verifyMotorPolicy' },
    stage: 'after',
    effect: { kind: 'drop' },
    times: 2,
  });
  return demo.journal.list({ limit: 1 })[0]?.id ?? '';
}
