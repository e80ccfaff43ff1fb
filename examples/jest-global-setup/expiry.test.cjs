const { sampleRequests } = require('micro-insurance-sandbox');
const { findMerchant, shop } = require('./sandbox.cjs');

const ADA = sampleRequests.initiateMicroHealthSubscription;

let merchant;
beforeEach(async () => {
  merchant = await findMerchant();
  await merchant.reset();
});

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
