/* What programs import on any platform: the package without Node. */

/// <reference lib="esnext.disposable" preserve="true" />

export { ControlError, type ControlStatus, type ProblemDocument } from './control/control-error.ts';
export { RefusalError } from './control/refusal-error.ts';
export { connect } from './kit/connect.ts';
export { ConnectError } from './kit/connect-error.ts';
export { FixtureError } from './products/fixture-error.ts';
export { sampleRequests } from './products/sample-requests.ts';
export type * from './public.ts';
export { createSandbox } from './sandbox.ts';
