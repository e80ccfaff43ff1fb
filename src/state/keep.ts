import type { MerchantStore } from '../control/merchant-store.ts';
import type { OpenSandbox } from '../open-sandbox.ts';
import { VERSION } from '../version.ts';
import type { Identity } from './lines.ts';
import { createLog, type FoldingLog } from './log.ts';
import type { StatePlace } from './place.ts';
import { restoreState } from './restore.ts';

/**
 * Makes a sandbox what a place holds of it, and writes every change there from then on. Throws `StateError`,
 * and leaves the place as it was, where that can't be.
 *
 * @param warn takes a line for whoever runs the sandbox
 */
export async function keepState(
  opened: OpenSandbox,
  place: StatePlace,
  warn: (line: string) => void,
): Promise<Pick<FoldingLog, 'fold' | 'end'>> {
  const { store } = opened;
  const identity = await identityOf(store, place);
  const standing = await restoreState(opened, place, identity, warn);
  const log = createLog(store, place, identity, standing, warn);
  if (!standing.hasLines) await place.cutLog(place.logSize(), '');
  // What can't be written is found out now, and not when there is something to lose.
  if (standing.isMarked && !standing.isForeign) place.tryAppend();
  else await log.save();
  store.log = log;
  return log;
}

/** What must be the same for changes to come out the same when they are made again. */
async function identityOf(
  { defaults, maxMerchants }: MerchantStore,
  { digest, outlivesProgram }: StatePlace,
): Promise<Identity> {
  const { fixtures, settings, clock, seed, autoMerchants } = defaults;
  const products = [...fixtures.products.values()];
  // A place that outlives programs holds one World, which was told all of these when it began.
  const options = outlivesProgram ? undefined : { clock, seed, autoMerchants, maxMerchants };
  return {
    program: VERSION,
    fixtures: await digest(JSON.stringify({ ...fixtures, products })),
    profile: await digest(JSON.stringify(settings)),
    settings: await digest(JSON.stringify(options ?? null)),
  };
}
