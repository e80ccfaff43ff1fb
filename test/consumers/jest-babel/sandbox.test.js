import { ControlError, createSandbox } from 'micro-insurance-sandbox';
import { startSandbox } from 'micro-insurance-sandbox/node';
import { inProcess, overASocket } from '../journey.cjs';

test('in process', () => inProcess({ createSandbox, ControlError }));
test('over a socket', () => overASocket({ startSandbox, ControlError }));
