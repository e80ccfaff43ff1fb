/* `createSandbox`, in its own file so that the published types depend on `public.ts` only. */

import { atCallersLine } from '../control/caller.ts';
import { openSandbox } from '../sandbox/open-sandbox.ts';
import type { Sandbox, SandboxOptions } from '../types/public.ts';
import { embeddedObserver } from './chaos/embedded.ts';
import { SERVED_TOOLS } from './served.ts';

/**
 * Creates a sandbox in this process, without a port: the merchant API, the control plane and the pages, over Worlds in
 * memory.
 *
 * Throws `FixtureError` if fixtures are invalid, `ControlError` 422 if an option is.
 *
 * @example
 * const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
 * const merchant = sandbox.createMerchant();
 * const response = await sandbox.fetch('/api/merchant/…', {
 *   headers: { Authorization: `Bearer ${merchant.apiKey}` },
 * });
 */
export const createSandbox: (options?: SandboxOptions) => Sandbox = atCallersLine(
  (options = {}) => openSandbox(options, { observer: embeddedObserver() }, SERVED_TOOLS).sandbox,
);
