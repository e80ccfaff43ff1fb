/* Tests of a suite under chaos: what each does when a call fails. */

import type { ChaosReport, Outcome } from '../../src/node.ts';
import { exampleOf } from '../support/requests.ts';
import { again } from './programs.ts';
import type { SuiteTest } from './suite.ts';

const input = exampleOf('initiateMotorPolicy');

/** Buys, and does all of it again if something fails. */
export const hasty = (name: string): SuiteTest => ({
  name,
  run: (merchant) => again(() => merchant.buy('motor')),
});

/** Looks the policy up before it buys again. */
export const careful = (name: string): SuiteTest => ({
  name,
  async run(merchant) {
    let expected: string | undefined;
    await again(async () => {
      if (expected !== undefined) {
        const data = await merchant.data('listMotorPolicies');
        if (data.some(({ policy_number }) => policy_number === expected)) return;
      }
      const { policy_number, token } = await merchant.data('initiateMotorPolicy', input);
      expected = policy_number;
      await merchant.data('verifyMotorPolicy', { token });
    });
  },
});

/** Fails if a call fails. */
export const honest = (name: string): SuiteTest => ({
  name,
  run: (merchant) => merchant.buy('motor'),
});

/** Passes whatever happens. */
export const blind = (name: string): SuiteTest => ({
  name,
  run: (merchant) => merchant.buy('motor').catch(() => undefined),
});

/** Buys again, and fails because it bought twice. */
export const againAndFailing = (name: string): SuiteTest => ({
  name,
  async run(merchant) {
    await again(() => merchant.buy('motor'));
    if ((await merchant.data('listMotorPolicies')).length > 1) throw new Error('two');
  },
});

export const sixWith = (fifth: (name: string) => SuiteTest, others = careful): SuiteTest[] =>
  Array.from({ length: 6 }, (_, at) => (at === 4 ? fifth : others)(`buys ${at + 1}`));

/** What each outcome was about: `buys 5, verifyMotorPolicy#1:lost`. */
export function outcomesOf({ runs }: ChaosReport): Partial<Record<Outcome, string[]>> {
  const outcomes: Partial<Record<Outcome, string[]>> = {};
  for (const { outcome, merchant, operation, call, failure } of runs) {
    outcomes[outcome] = [
      ...(outcomes[outcome] ?? []),
      `${merchant}, ${operation}#${call}:${failure}`,
    ];
  }
  return outcomes;
}
