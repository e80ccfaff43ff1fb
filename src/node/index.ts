export { ControlError } from '../control/problems.ts';
export { FixtureError } from '../products/fixture-error.ts';
export type * from '../public.ts';
export { ListenError, type SandboxServer, type ServerOptions, startSandbox } from './serve.ts';
export { UnusableFile } from './unusable-file.ts';
