/// <reference lib="esnext.disposable" preserve="true" />
export { ControlError } from './control/control-error.ts';
export { FixtureError } from './products/fixture-error.ts';
export type * from './public.ts';
export { createSandbox } from './sandbox.ts';
