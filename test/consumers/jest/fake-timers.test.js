const { overASocket } = require('../journey.cjs');

/* As with `fakeTimers: { enableGlobally: true }`: the timers are taken over before the package is loaded. */
jest.useFakeTimers();

test('a server answers and closes though the timers stand still', () =>
  overASocket(require('micro-insurance-sandbox/node')));
