export { ControlError } from '../control/problems.ts';
export { FixtureError } from '../products/fixtures.ts';
export type * from '../public.ts';
export { UnusableFile } from './json-file.ts';
export { type SandboxServer, type ServerOptions, startSandbox } from './serve.ts';
