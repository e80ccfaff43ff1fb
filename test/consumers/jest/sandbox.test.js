const { ControlError, createSandbox } = require('micro-insurance-sandbox');
const { startSandbox } = require('micro-insurance-sandbox/node');
const { inProcess, overASocket } = require('../journey.cjs');

test('in process', () => inProcess({ createSandbox, ControlError }));
test('over a socket', () => overASocket({ startSandbox, ControlError }));
