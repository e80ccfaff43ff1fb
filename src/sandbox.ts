/* A file of its own: the published types lead to nothing but the types of `public.ts`. */
import { refusingAtCaller } from './control/caller.ts';
import { openSandbox } from './open-sandbox.ts';
import type { Sandbox, SandboxOptions } from './public.ts';

/**
 * A sandbox in this process: the merchant API, the control plane and the pages, over in-memory Worlds.
 * Throws `FixtureError` for fixtures, and `ControlError` for options, that can't be served.
 */
export const createSandbox: (options?: SandboxOptions) => Sandbox = refusingAtCaller(
  (options = {}) => openSandbox(options).sandbox,
);
