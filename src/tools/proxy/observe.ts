/* Tries which profile would explain an exchange that contradicts the contract. */

import { SUCCESS_MESSAGES } from '../../api/envelope.ts';
import { LIST_ORDER, LIST_SELECTION, PAGE_URLS } from '../../api/pagination.ts';
import { HTTP_STATUS, messageOf, refusal } from '../../api/refusals.ts';
import { TEXT_TRIM } from '../../api/request.ts';
import { applyProfile } from '../../control/profile.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import { atOnce } from '../../world/clock.ts';
import { PUBLISHED, type Settings } from '../../world/settings.ts';
import { usedTokenCode } from '../../world/tokens.ts';
import { compareAnswers, problemsIn, refusalProblems } from '../check/compare-answers.ts';
import type { Finding } from '../check/differences.ts';
import { candidatesFor, settable } from '../check/explain.ts';
import { Links } from '../check/links.ts';
import { refusingAs, type TwinAnswer } from '../check/twin.ts';
import type { Judged } from './judge.ts';

/** A profile value with which a sandbox would have responded more like the service. */
export interface Observation {
  readonly assumption: AssumptionId;
  readonly value: unknown;
}

type Decisions = Readonly<Record<string, unknown>>;

/** What an exchange shows about a profile. */
export interface Observed {
  readonly observations: readonly Observation[];
  /** Contradicted assumptions that no observation explains. */
  readonly unexplained: readonly AssumptionId[];
}

/** Tries profile values for each assumption that an exchange contradicts. */
export function observe({ call, own, seen, findings }: Judged, decisions: Decisions): Observed {
  const { operationId: operation } = call.operation;
  const found = findings.map((finding) => ({ ...finding, operation }));
  let explained = 0;
  const observations = settable(findings).flatMap((assumption): Observation[] => {
    const tried = candidatesFor(assumption, found, decisions).map((value) => {
      const count = findingsWith(
        { ...decisions, [assumption]: value },
        { call, own, seen },
        findings,
      );
      return { assumption, value, count };
    });
    const [best] = tried.toSorted((a, b) => a.count - b.count);
    if (!best || best.count >= findings.length) return [];
    explained += findings.length - best.count;
    return [{ assumption, value: best.value }];
  });
  const isExplained = explained >= findings.length;
  const contradicted = findings.flatMap(({ assumptions }) => assumptions);
  const ids = observations.map(({ assumption }) => assumption);
  return {
    observations,
    unexplained: isExplained ? [] : contradicted.filter((id) => !ids.includes(id)),
  };
}

/** The number of findings that remain with another profile. */
function findingsWith(
  decisions: Decisions,
  { call, own, seen }: Pick<Judged, 'call' | 'own' | 'seen'>,
  before: readonly Finding[],
): number {
  const settings = applyProfile(PUBLISHED, { version: 1, decisions });
  const { envelope, operationId } = call.operation;
  if (own.code) {
    const code = own.code === 'token_used' ? (usedTokenCode(settings) ?? own.code) : own.code;
    const word = messageOf(code, settings);
    const told = word === undefined ? problemsIn(own.body) : [{ message: word, assumptions: [] }];
    const body = refusal(envelope, { code, problems: refusalProblems(told) }, settings);
    const answer: TwinAnswer = { ...own, code, due: HTTP_STATUS.in(settings)[code], body };
    const findings: Finding[] = [];
    const context = {
      operation: operationId,
      links: new Links(),
      slackMs: 0,
      base: '',
      isExclusive: false,
      add: (finding: Finding) => findings.push(finding),
      elsewhere: () => undefined,
    };
    atOnce(
      compareAnswers(
        { operation: refusingAs(call.operation, settings), about: [], own: answer, seen },
        context,
      ),
    );
    return findings.length;
  }
  return before.filter((finding) => !isExplained(finding, settings, call)).length;
}

/** Whether settings explain a difference in a success. */
function isExplained(
  { path, seen, assumptions }: Finding,
  settings: Settings,
  { operation }: Judged['call'],
): boolean {
  if (path === `$.${operation.envelope.messageKey}`) {
    return SUCCESS_MESSAGES.in(settings)[operation.operationId] === seen;
  }
  const { per_page: pageSize } = LIST_SELECTION.in(settings);
  if (path === '$.data.per_page') return pageSize === seen;
  const isCount = assumptions.includes('page-out-of-range') || path.endsWith('.length');
  if (isCount) return pageSize !== LIST_SELECTION.in(PUBLISHED).per_page;
  if (/_page_url$/.test(path))
    return PAGE_URLS.in(settings) === 'drop' && !/[?&](?!page=)/.test(String(seen));
  if (assumptions.includes('text-trim')) return TEXT_TRIM.in(settings) === 'trim';
  if (assumptions.includes('list-order')) return LIST_ORDER.in(settings) === 'newest-first';
  return (
    /\.subscriptions$/.test(path) &&
    settings['subscriptions-key'] === 'array' &&
    Array.isArray(seen)
  );
}
