const { sampleRequests } = require('micro-insurance-sandbox');
const { findMerchant, shop } = require('./sandbox.cjs');

const ADA = sampleRequests.initiateMicroHealthSubscription;

let merchant;
beforeEach(async () => {
  merchant = await findMerchant();
  // An earlier file of this worker may have changed its World.
  await merchant.reset();
});

test('a policy is sold', async () => {
  expect(await shop.sell(ADA)).toMatch(/^\d{10}$/);
  const { data } = await merchant.records({ family: 'micro_health' });
  expect(data).toHaveLength(1);
});
