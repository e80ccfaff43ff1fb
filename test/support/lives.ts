import type { Operation } from '../../src/api/operation.ts';
import type { Snapshot } from '../../src/index.ts';
import { createRandomState, nextFraction } from '../../src/world/random.ts';
import { lists, operationOf } from './client.ts';
import { type FamilyKey, familyKeys, initiateOf, purchaseOf, verifyOf } from './requests.ts';

/** Sends a request. Returns the body, or undefined if the connection was lost. */
export type Send = (
  method: string,
  path: string,
  body: unknown,
  fault?: string,
) => Promise<string | undefined>;

export interface Life {
  /** How many purchases it starts. */
  readonly purchases: number;
  /** Faults that lose the response of a verify, after and before the operation. */
  readonly losses: readonly [after: string, before: string];
}

/** Buys policies in all families, with clock jumps and faults. Each client does something else. */
export async function live(send: Send, client: number, { purchases, losses }: Life): Promise<void> {
  const [after, before] = losses;
  const chance = createRandomState(client, 1);
  const oneIn = (count: number) => nextFraction(chance) < 1 / count;
  for (let purchase = 0; purchase < purchases; purchase++) {
    const family = familyKeys[purchase % familyKeys.length] as FamilyKey;
    const initiate = operationOf(initiateOf[family]).path;
    const verify = operationOf(verifyOf[family]).path;
    if (oneIn(8)) await send('POST', '/_sandbox/faults', rule(verifyOf[family]));
    const text = await send('POST', initiate, purchaseOf(family));
    const [, token = 'lost'] = /"token":"(\w+)"/.exec(text ?? '') ?? [];
    if (oneIn(4)) {
      const by = oneIn(8) ? 'PT15M' : `PT${Math.floor(nextFraction(chance) * 300)}S`;
      await send('POST', '/_sandbox/clock/advance', { by });
    }
    const fault = oneIn(6) ? after : oneIn(12) ? before : undefined;
    const verified = await send('POST', verify, { token }, fault);
    if (verified === undefined) await send('POST', verify, { token });
    if (oneIn(25)) {
      const list = lists[purchase % lists.length] as Operation;
      await send('GET', list.path, undefined);
    }
  }
}

const rule = (operation: string) => ({
  match: { operation },
  stage: 'after',
  effect: { kind: 'respond', status: 503 },
  probability: 0.5,
});

/** The whole World, except for request headers, which differ by transport. */
export function worldOf(snapshot: Snapshot) {
  const { journal, ...world } = snapshot.world as { journal: { request?: { body: unknown } }[] };
  // An event has no request.
  const items = journal.map(({ request, ...item }) => ({ ...item, body: request?.body }));
  return { ...world, items };
}
