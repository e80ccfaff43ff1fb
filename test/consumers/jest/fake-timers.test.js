const { overASocket } = require('../journey.cjs');

/* Like `fakeTimers: { enableGlobally: true }`: replaces the timers before the package is loaded. */
jest.useFakeTimers();

test('a wait for calls ends before the test does, and says why', async () => {
  const merchant = require('micro-insurance-sandbox').createSandbox().createMerchant();
  await expect(merchant.journal.await()).rejects.toThrow(
    'Waited PT2S for 1 of any operation; found 0. This merchant made no calls.',
  );
});

test('a server answers and closes though the timers stand still', () =>
  overASocket(require('micro-insurance-sandbox/node')));
