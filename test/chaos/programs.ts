import type { ChaosOptions, ChaosPlace, ChaosReport } from '../../src/node.ts';
import { chaos } from '../../src/node.ts';
import { type Caller, callOperation } from '../support/client.ts';
import { buy, type FamilyKey } from '../support/requests.ts';

/** Calls the sandbox of a run, and checks each response that no failure has touched. */
export const callerAt = ({ url, key, fetch }: ChaosPlace): Caller => ({
  call: (operationId, input, init) =>
    callOperation((request) => fetch(request), url, key, operationId, input, init),
});

/** A program that buys one policy. Anything that fails ends it. */
export const buyOne =
  (family: FamilyKey = 'motor') =>
  async (place: ChaosPlace): Promise<void> => {
    await buy(callerAt(place), family);
  };

/** Does something again until it works. */
export async function again<Result>(work: () => Promise<Result>, times = 3): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (times === 1) throw error;
    return again(work, times - 1);
  }
}

/** Runs one failure, and returns how that run ended. */
export async function disturb(
  only: string,
  run: ChaosOptions['run'],
  options: Partial<ChaosOptions> = {},
): Promise<ChaosReport['runs'][number]> {
  const { runs } = await chaos({ run, only, jobs: 4, ...options });
  const [first] = runs;
  if (!first || runs.length > 1) throw new Error(`${only} selects ${runs.length} runs`);
  return first;
}
