/* Replays what was recorded of a server on a twin, and compares the responses. */

import type { Operation } from '../../api/operation.ts';
import { isAccepted } from '../../scenarios/received.ts';
import type { ScenarioCall } from '../../scenarios/scenario.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import { runCooperatively } from '../../world/clock.ts';
import type { Instant } from '../../world/time.ts';
import { type Comparison, WRITING_SLACK_MS } from './compare.ts';
import { compareAnswers, fieldAssumptions } from './compare-answers.ts';
import type { Finding, Located } from './differences.ts';
import { Links } from './links.ts';
import type { Recording } from './record.ts';
import { createTwin, type TwinConfig } from './twin.ts';

/** A request of a scenario, and its result. */
export interface PlayedCall {
  readonly scenario: string;
  readonly operation: string;
  readonly shows: string;
  /** Why it was not sent or compared; undefined if it was. */
  readonly notAsked: string | undefined;
  readonly findings: readonly Located[];
  /** The assumptions behind the twin's response, and those about the tried fields. */
  readonly assumptions: readonly string[];
  /** Assumptions that only this kind of request can confirm. */
  readonly rests: readonly string[];
}

export interface Played {
  readonly calls: readonly PlayedCall[];
  /** Origins of page URLs that point to another host. */
  readonly elsewhere: ReadonlySet<string>;
}

/** Replays recordings on a twin, and compares each response with the server's. */
export async function play(
  recordings: readonly Recording[],
  config: TwinConfig,
  base: string,
  fallback: Instant,
): Promise<Played> {
  const twin = createTwin(config, fallback);
  const calls: PlayedCall[] = [];
  const elsewhere = new Set<string>();
  for (const recording of recordings) {
    const links = new Links();
    const { name } = recording.scenario;
    let diverged: string | undefined;
    for await (const { recorded, answers } of twin.replay(recording, base)) {
      const step = recorded.step as ScenarioCall;
      const { operation, shows, about = [] } = step;
      const findings: Located[] = [];
      const told = { scenario: name, operation: operation.operationId, shows };
      // A difference in such a step is about isolation, whatever field shows it.
      const basis = step.by === 'other' && step.rests ? { assumptions: step.rests } : {};
      const add = (finding: Finding) => findings.push({ ...finding, ...basis, ...told });
      const notAsked =
        recorded.notAsked ??
        (answers.length === 0
          ? 'the sandbox refused an earlier request that it depends on'
          : diverged);
      const context: Comparison = {
        operation: operation.operationId,
        links,
        slackMs: recording.startsAt === undefined ? WRITING_SLACK_MS : 0,
        base,
        isExclusive: recording.isExclusive,
        namesOthers: recording.scenario.needs === 'records',
        add,
        elsewhere: (origin) => elsewhere.add(origin),
      };
      if (notAsked === undefined) {
        for (const [place, seen] of recorded.answers.entries()) {
          const own = answers[place];
          if (!own) continue;
          const call = { operation: twin.operationOf(operation), about, own, seen };
          await runCooperatively(compareAnswers(call, context));
          // From here on the server and the twin have different policies.
          if (changesPolicies(operation) && isAccepted(seen) !== isAccepted(own)) {
            diverged = `depends on the difference in ${operation.operationId} ${shows}`;
          }
        }
      }
      const said = answers[0]?.headers.get('sandbox-assumptions')?.split(', ') ?? [];
      const assumptions = [...said, ...assumptionsTried(step)];
      calls.push({ ...told, notAsked, findings, assumptions, rests: step.rests ?? [] });
    }
    links.tellConflicts();
  }
  return { calls, elsewhere };
}

/** The assumptions about the fields of a request, and about white space around their values. */
function assumptionsTried({ operation, about = [], input = {} }: ScenarioCall): AssumptionId[] {
  const isPadded = about.some((field) => {
    const sent = input[field];
    return typeof sent === 'string' && sent.trim() !== '' && sent.trim() !== sent;
  });
  return [...fieldAssumptions(operation, about), ...(isPadded ? ['text-trim' as const] : [])];
}

/** Whether an operation buys or renews. An initiate stores nothing that other operations return. */
const changesPolicies = ({ readOnly, errors }: Operation): boolean =>
  !readOnly && (errors.includes('token_unknown') || errors.includes('policy_unknown'));

/** All findings, in the order of the requests. */
export const findingsOf = ({ calls }: Pick<Played, 'calls'>): Located[] =>
  calls.flatMap(({ findings }) => findings);
