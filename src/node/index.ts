/* What programs import on Node: the package with servers, files and `chaos`. */

/// <reference lib="esnext.disposable" preserve="true" />

export {
  ControlError,
  type ControlStatus,
  type ProblemDocument,
} from '../control/control-error.ts';
export { RefusalError } from '../control/refusal-error.ts';
export { FixtureError } from '../products/fixture-error.ts';
export type * from '../public.ts';
export type { ServerOptions } from '../start-options.ts';
export type * from '../tools/chaos/public.ts';
export { ChaosError } from '../tools/chaos/public.ts';
export { type ChaosOptions, chaos } from './chaos/index.ts';
export { FileError, ListenError } from './errors.ts';
export { type SandboxServer, startSandbox } from './start-sandbox.ts';
