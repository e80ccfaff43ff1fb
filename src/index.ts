export { ControlError } from './control/problems.ts';
export { FixtureError } from './products/fixture-error.ts';
export type * from './public.ts';
export { createSandbox } from './sandbox.ts';
