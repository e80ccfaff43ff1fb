/* Requests of all kinds, for screenshots and for tests of the pages' look. */

import type { SandboxServer } from '../src/node.ts';
import { anyFamilies } from '../src/products/world.ts';

const KEY = 'sk_sandbox_demo';
/** The start of the story, so that all pictures show the same times. */
export const STORY_START = '2026-01-31T10:00:00Z';

const operations = anyFamilies.flatMap((family) => [...family.operations]);

interface Call {
  readonly changes?: Readonly<Record<string, unknown>>;
  readonly key?: string;
  readonly fault?: string;
}

/**
 * Sends requests as the demo merchant of a new sandbox, and leaves a pending purchase and a fault there. Returns the id
 * of the last request, a refusal with two problems.
 */
export async function playStory({ url, sandbox }: SandboxServer): Promise<string> {
  const demo = sandbox.merchant(KEY);
  sandbox.createMerchant({ name: 'Corner Shop', now: STORY_START, mode: 'frozen' });

  /** Sends the documented example of an operation, with changes. Returns the token, if any. */
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
      // A fault may cut the connection.
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
