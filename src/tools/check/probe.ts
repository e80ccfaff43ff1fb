/* A probe: one statement of the specification or of an assumption, and how the answers of a server are read for it. */

import type { AssumptionId } from '../../world/assumptions.ts';
import type { Answer } from './answer.ts';
import type { ProbeCall } from './call.ts';
import type { ProbeReading } from './reading.ts';

/** The headings of the specification. */
export const HEADINGS = [
  'What the service does',
  'Resources and their fields',
  'States and transitions',
  'Endpoints',
  'Authentication',
  'Errors',
  'Limits',
  'Versioning',
] as const;
type Heading = (typeof HEADINGS)[number];

/** The calls of a case, by what it asks of their answers. */
interface Calls {
  /** Calls that must have succeeded, or the case is not asked. */
  readonly needs: readonly ProbeCall[];
  /** Calls that are judged. */
  readonly calls: readonly ProbeCall[];
  /** Calls of which those that were answered are read. */
  readonly some: readonly ProbeCall[];
}

/** Where a statement shows: a family, an operation, a value that is sent. */
export interface Case extends Calls {
  /** Reads the answers to `needs`, to `calls`, and to those of `some` that were answered, in this order. */
  readonly read: (...answers: Answer[]) => ProbeReading;
}

/** What a probe says, without its id and what it is about. */
interface Statement {
  readonly title: string;
  readonly cases: readonly Case[];
}

export interface Probe extends Statement {
  readonly id: string;
  readonly about: Heading | AssumptionId;
}

/** What a case asks and how it is read. A list of calls is what it needs. */
type CaseParts = readonly [calls: readonly ProbeCall[] | Partial<Calls>, read: Case['read']];

const caseOf = ([calls, read]: CaseParts): Case => ({
  ...{ needs: [], calls: [], some: [] },
  ...('length' in calls ? { needs: calls } : calls),
  read,
});

/** States a probe that shows in one place. */
export const probe = (title: string, ...parts: CaseParts): Statement => ({
  title,
  cases: [caseOf(parts)],
});

/** States a probe that shows in several places, such as each family. */
export const ofEach = <Place>(
  title: string,
  places: readonly Place[],
  partsOf: (place: Place) => CaseParts,
): Statement => ({ title, cases: places.map((place) => caseOf(partsOf(place))) });

type Statements = Readonly<Record<string, Statement>>;

/** Declares probes by what they are about: by their ids, or one that has the id of its assumption. */
export const probesAbout = (
  statements: Readonly<Partial<Record<Probe['about'], Statement | Statements>>>,
): readonly Probe[] =>
  Object.entries(statements).flatMap(([about, each]) =>
    Object.entries(isStatement(each) ? { [about]: each } : each).map(([id, statement]) => ({
      ...{ id, about: about as Probe['about'] },
      ...statement,
    })),
  );

const isStatement = (each: Statement | Statements): each is Statement => Array.isArray(each.cases);
