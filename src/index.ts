/* What programs import on any platform: the package without Node. */

/// <reference lib="esnext.disposable" preserve="true" />

export { connect } from './connect/connect.ts';
export { ConnectError } from './connect/connect-error.ts';
export { ControlError, type ControlStatus } from './control/control-error.ts';
export { RefusalError } from './control/refusal-error.ts';
export { FixtureError } from './products/fixture-error.ts';
export { sampleRequests } from './products/sample-requests.ts';
export { createSandbox } from './tools/create-sandbox.ts';
export type { ProblemDocument } from './types/control-wire.ts';
export type * from './types/public.ts';
