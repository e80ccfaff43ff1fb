export { ControlError } from './control/problems.ts';
export { FixtureError } from './products/fixtures.ts';
export type * from './public.ts';
export { createSandbox } from './sandbox.ts';
