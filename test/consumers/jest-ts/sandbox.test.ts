import { ControlError, createSandbox, type Merchant, type Sandbox } from 'micro-insurance-sandbox';
import { type SandboxServer, startSandbox } from 'micro-insurance-sandbox/node';

const { inProcess, overASocket } = require('../journey.cjs');

test('in process', () => inProcess({ createSandbox, ControlError }));
test('over a socket', () => overASocket({ startSandbox, ControlError }));

test('with its types, and a block that closes it', async () => {
  await using server: SandboxServer = await startSandbox({ port: 0, clock: 'frozen' });
  const sandbox: Sandbox = server.sandbox;
  const merchant: Merchant = sandbox.createMerchant({ records: 'demo' });
  expect(merchant.journal.list({ operation: 'verifyMotorPolicy' })).toEqual([]);
  // @ts-expect-error the operation has another name
  expect(() => merchant.journal.list({ operation: 'verifyMotor' })).toThrow(ControlError);
});
