const { sampleRequests } = require('micro-insurance-sandbox');
const { control, shop } = require('./sandbox.cjs');

const ADA = sampleRequests.initiateMicroHealthSubscription;

beforeEach(() => control('POST', '/reset'));

test('a customer who pays after fifteen minutes has to begin again', async () => {
  const token = await shop.reserve(ADA);
  await control('POST', '/clock/advance', { by: 'PT15M' });
  await expect(shop.pay(token)).rejects.toThrow('Token has expired');
});

test('a customer who pays in time is covered', async () => {
  const token = await shop.reserve(ADA);
  await control('POST', '/clock/advance', { by: 'PT14M' });
  await expect(shop.pay(token)).resolves.toMatchObject({ policy_no: expect.any(String) });
});
