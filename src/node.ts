/* What programs import on Node: the package with servers, files and `chaos`. */

/// <reference lib="esnext.disposable" preserve="true" />

export { ControlError, type ControlStatus } from './control/control-error.ts';
export { RefusalError } from './control/refusal-error.ts';
export { FileError, ListenError } from './node/errors.ts';
export { FixtureError } from './products/fixture-error.ts';
export type { ServerOptions } from './sandbox/start-options.ts';
export { type ChaosOptions, chaos } from './tools/chaos/function.ts';
export type * from './tools/chaos/public.ts';
export { ChaosError } from './tools/chaos/public.ts';
export { type SandboxServer, startSandbox } from './tools/start-sandbox.ts';
export type { ProblemDocument } from './types/control-wire.ts';
export type * from './types/public.ts';
