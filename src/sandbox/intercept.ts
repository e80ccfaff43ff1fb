/* `sandbox.intercept`: the platform's `fetch` answers one origin from a sandbox, and passes on everything else. */

import { isOrigin, originMeant } from '../api/cors.ts';
import { ControlError } from '../control/control-error.ts';
import type { Interception } from '../types/public.ts';
import { parseUrl } from '../world/platform.ts';
import { truncate } from '../world/problem-texts.ts';
import { PROGRAM } from './start-options.ts';

type Fetch = typeof globalThis.fetch;

/** Who answers which origin in this process. Copies of this package share it. */
const ANSWERED = Symbol.for('micro-insurance-sandbox.intercepted');

type Answered = Map<string, Fetch>;
type Global = { [ANSWERED]?: Answered };

/** What `globalThis.fetch` was, and what stands in its place; undefined if nothing does. */
let replaced: { readonly before: Fetch; readonly now: Fetch } | undefined;

function answered(): Answered {
  const holder = globalThis as Global;
  holder[ANSWERED] ??= new Map();
  return holder[ANSWERED];
}

/** Creates the method of a sandbox, and what its close calls. */
export function createIntercept(fetch: Fetch) {
  const own = new Map<string, Interception>();
  return {
    /** Throws `ControlError` 422 for what is no origin, 409 for one that is intercepted. */
    intercept(origin: unknown): Interception {
      if (typeof origin !== 'string' || !/^https?:/.test(origin) || !isOrigin(origin)) {
        const meant = typeof origin === 'string' ? originMeant(origin) : undefined;
        const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
        throw new ControlError(
          422,
          `intercept() takes an origin such as https://provider.example; got ${truncate(origin)}.${hint}`,
        );
      }
      if (answered().has(origin)) {
        throw new ControlError(409, `${origin} is intercepted already. Restore it first.`);
      }
      answered().set(origin, fetch);
      replace();
      const restore = () => {
        if (own.get(origin) !== interception) return;
        own.delete(origin);
        answered().delete(origin);
        if (answered().size === 0) putBack();
      };
      const interception = {
        origin,
        restore,
        ...(Symbol.dispose && { [Symbol.dispose]: restore }),
      } as Interception;
      own.set(origin, interception);
      return interception;
    },
    /** Restores what was never restored, and says so. */
    end(): void {
      for (const { origin, restore } of [...own.values()]) {
        restore();
        console.warn(
          `${PROGRAM}: ${origin} was still intercepted when the sandbox closed. Write "using _ = sandbox.intercept('${origin}')", or call its restore().`,
        );
      }
    },
  };
}

function replace(): void {
  if (replaced && globalThis.fetch === replaced.now) return;
  const before = globalThis.fetch;
  const now: Fetch = async (input, init) => {
    const address = parseUrl(input instanceof Request ? input.url : String(input));
    const answer = address && answered().get(address.origin);
    return (answer ?? before)(input, init);
  };
  replaced = { before, now };
  globalThis.fetch = now;
}

/** Only what nothing else has replaced since: otherwise it stays in the chain, and passes everything on. */
function putBack(): void {
  if (replaced && globalThis.fetch === replaced.now) globalThis.fetch = replaced.before;
  replaced = undefined;
}
