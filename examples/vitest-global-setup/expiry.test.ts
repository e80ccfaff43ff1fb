import { sampleRequests } from 'micro-insurance-sandbox';
import { beforeEach, expect, test } from 'vitest';
import { merchant, shop } from './sandbox.js';

const ADA = sampleRequests.initiateMicroHealthSubscription;

beforeEach(() => merchant.reset());

test('a customer who pays after fifteen minutes has to begin again', async () => {
  const token = await shop.reserve(ADA);
  await merchant.clock.advance('PT15M');
  await expect(shop.pay(token)).rejects.toThrow('Token has expired');
});

test('a customer who pays in time is covered', async () => {
  const token = await shop.reserve(ADA);
  await merchant.clock.advance('PT14M');
  await expect(shop.pay(token)).resolves.toMatch(/^\d{10}$/);
});
