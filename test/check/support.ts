import { type CheckOptions, check } from '../../src/contract/check.ts';
import type { Fetch } from '../../src/contract/client.ts';
import type { Report } from '../../src/contract/report.ts';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import { wait } from '../../src/world/clock.ts';

export const KEY = 'sk_sandbox_demo';
export const OTHER_KEY = 'sk_sandbox_other';
/** When the check believes it runs. */
const NOW = Date.parse('2026-02-01T12:00:00Z');
const URL_OF_SANDBOX = 'http://localhost';

/** A sandbox as a check meets one. */
export function serve(options: SandboxOptions = {}): Fetch {
  const sandbox = createSandbox(options);
  return (request) => sandbox.fetch(request);
}

/** The same without its control plane: a server that can't be told from the provider's. */
export const withoutControl =
  (fetch: Fetch): Fetch =>
  async (request) =>
    new URL(request.url).pathname.startsWith('/_sandbox')
      ? new Response('<h1>Not found</h1>', {
          status: 404,
          headers: { 'content-type': 'text/html' },
        })
      : fetch(request);

export const runCheck = (fetch: Fetch, options: Partial<CheckOptions> = {}): Promise<Report> =>
  check({ url: URL_OF_SANDBOX, key: KEY, ...options }, fetch, { now: () => NOW, wait });

export const idsOf = (
  report: Report,
  outcome: Report['assumptions'][number]['outcome'],
): string[] =>
  report.assumptions.filter((assumption) => assumption.outcome === outcome).map(({ id }) => id);
