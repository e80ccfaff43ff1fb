const { ControlError, createSandbox } = require('micro-insurance-sandbox');
const node = require('micro-insurance-sandbox/node');
const { inProcess, overASocket } = require('../journey.cjs');

test('in process', () => inProcess({ createSandbox, ControlError }));
// The same class in both entries.
test('over a socket', () => overASocket({ startSandbox: node.startSandbox, ControlError }));
test('a refusal reads as it should', () => {
  expect(() => createSandbox({ now: 'soon' })).toThrow(node.ControlError);
});
