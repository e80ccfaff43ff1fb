import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { type ChaosPlan, runChaos } from '../../src/tools/chaos/index.ts';
import type { LedgerNote } from '../../src/tools/chaos/ledger.ts';
import { createRunObserver } from '../../src/tools/chaos/observer.ts';
import type { Merchant, Sandbox } from '../../src/types/public.ts';

/** A test of a suite: it gets a merchant of its own, and fails if it throws. */
export interface SuiteTest {
  readonly name: string;
  run(merchant: Merchant, sandbox: Sandbox, shared: Merchant): Promise<unknown>;
}

/** How a suite runs its tests. */
export interface SuiteOptions {
  /** Whether it tells the results of its tests, as the kits do. */
  readonly hasKit?: boolean;
  readonly retries?: number;
  /** Whether it ends after the first test that fails. */
  readonly bail?: boolean;
  /** Whether the merchant that all tests share is made anew after a test that fails, as Playwright does. */
  readonly restarts?: boolean;
  /** Whether the merchants have the names of the tests. The kits see to that. */
  readonly isNamed?: boolean;
  /** Whether each test runs in a process of its own. */
  readonly hasProcesses?: boolean;
  readonly order?: (tests: readonly SuiteTest[], run: number) => readonly SuiteTest[];
}

/** Runs a suite in this process as a test runner does in another, once for every run. */
export function disturbSuite(
  tests: readonly SuiteTest[],
  {
    hasKit = true,
    retries = 0,
    bail = false,
    restarts = false,
    isNamed = true,
    hasProcesses = false,
    order = (all) => all,
  }: SuiteOptions,
  plan: Partial<ChaosPlan> = {},
) {
  let starts = 0;
  return runChaos({
    only: [],
    jobs: 1,
    slowMs: 1,
    advice: '',
    repeat: () => 'again',
    async attempt({ planned }) {
      const notes: LedgerNote[] = [];
      const startProcess = () => {
        const observer = createRunObserver({ planned, start: 0 }, (note) => void notes.push(note));
        const options = { now: '2026-01-31T10:00:00Z', clock: 'frozen' } as const;
        return { observer, ...openSandbox(options, { observer }) };
      };
      let { observer, sandbox } = startProcess();
      const openShared = () => sandbox.createMerchant({ name: 'shared' });
      let shared = openShared();
      let exit = 0;
      for (const { name, run } of order(tests, starts++)) {
        if (bail && exit !== 0) break;
        if (hasProcesses) ({ observer, sandbox } = startProcess());
        let passed = false;
        for (let attempt = 0; attempt <= retries && !passed; attempt++) {
          const told = hasKit ? observer.beginTest({ id: name, attempt, title: name }) : undefined;
          const merchant = sandbox.createMerchant(isNamed ? { name } : {});
          passed = await run(merchant, sandbox, shared).then(
            () => true,
            () => false,
          );
          told?.tell(passed);
          told?.end();
          if (restarts && !passed) shared = openShared();
        }
        if (!passed) exit = 1;
      }
      return { exit, duration_ms: 1, notes, withoutKey: 0 };
    },
    ...plan,
  });
}
