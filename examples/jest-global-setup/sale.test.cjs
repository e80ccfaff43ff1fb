const { sampleRequests } = require('micro-insurance-sandbox');
const { control, shop } = require('./sandbox.cjs');

const ADA = sampleRequests.initiateMicroHealthSubscription;

// An earlier file of this worker may have changed its World.
beforeEach(() => control('POST', '/reset'));

test('a policy is sold', async () => {
  const policy = await shop.sell(ADA);
  expect(policy.policy_no).toMatch(/^\d{10}$/);
  const { data } = await control('GET', '/records?family=micro_health');
  expect(data).toHaveLength(1);
});
