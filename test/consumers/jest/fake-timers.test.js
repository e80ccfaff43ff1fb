const { overASocket } = require('../journey.cjs');

/* Like `fakeTimers: { enableGlobally: true }`: replaces the timers before the package is loaded. */
jest.useFakeTimers();

test('a server answers and closes though the timers stand still', () =>
  overASocket(require('micro-insurance-sandbox/node')));
