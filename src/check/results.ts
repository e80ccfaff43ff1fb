import { assignBlame, type Blame, type Sent } from './blame.ts';
import { addDifference, assumptionResults } from './coverage.ts';
import { observedProfile } from './observed-profile.ts';
import type { Finding } from './outcomes.ts';
import {
  operationResults,
  type ProbeResult,
  type Report,
  showValue,
  summaryOf,
  truncateLine,
} from './report.ts';
import type { ProbeContext, ProbeRun } from './run-probe.ts';
import type { MaskSecrets } from './secrets.ts';

/**
 * What the probes of a check came to.
 *
 * @param all whether every family was asked
 */
export function resultsOf(
  { coverage, mask, noPurchase }: ProbeContext,
  runs: readonly ProbeRun[],
  all: boolean,
): Pick<Report, 'summary' | 'operations' | 'probes' | 'decisions' | 'profile' | 'not_in_profile'> {
  const blames = assignBlame(runs.filter((run): run is ProbeRun & Sent => !('skipped' in run)));
  const probes = runs.map((run) => {
    if ('skipped' in run) return skipped(run, run.skipped);
    const { findings, reason } = blames.get(run) as Blame;
    if (findings.length === 0 && reason !== undefined) return skipped(run, reason);
    for (const { assumptions } of findings) addDifference(coverage, assumptions);
    return told(run, findings, mask);
  });
  return {
    summary: summaryOf(probes),
    operations: operationResults(probes),
    probes,
    decisions: assumptionResults(coverage, { noPurchase, all }),
    ...observedProfile(coverage),
  };
}

const named = ({ probe: { name, operation } }: ProbeRun) => ({
  name,
  operation: operation.operationId,
});

const skipped = (run: ProbeRun, reason: string): ProbeResult => ({
  ...named(run),
  outcome: 'skipped',
  reason,
  differences: [],
});

function told(run: ProbeRun, findings: readonly Finding[], mask: MaskSecrets): ProbeResult {
  const { name, operation } = named(run);
  const differences = findings.map(({ path, expected, seen, assumptions }) => ({
    operation,
    path,
    expected: truncateLine(mask(expected)),
    seen: showValue(mask(seen)),
    decisions: assumptions,
  }));
  return { name, operation, outcome: differences.length > 0 ? 'differs' : 'agrees', differences };
}
