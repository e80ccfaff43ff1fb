import { sampleRequests } from 'micro-insurance-sandbox';
import { beforeEach, expect, test } from 'vitest';
import { merchant, shop } from './sandbox.js';

const ADA = sampleRequests.initiateMicroHealthSubscription;

// An earlier file of this worker may have changed its World.
beforeEach(() => merchant.reset());

test('a policy is sold', async () => {
  expect(await shop.sell(ADA)).toMatch(/^\d{10}$/);
  const { data } = await merchant.records({ family: 'micro_health' });
  expect(data).toHaveLength(1);
});
