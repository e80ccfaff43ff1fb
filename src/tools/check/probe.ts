/* A probe: one statement of the specification or of an assumption, and how the answers of a server are read for it. */

import type { AssumptionId } from '../../world/assumptions.ts';
import type { Answer, ProbeCall } from './call.ts';
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

/** The calls of a probe, by what it asks of their answers. */
interface Calls {
  /** Calls that must have succeeded, or the probe is not asked. */
  readonly needs: readonly ProbeCall[];
  /** Calls that are judged. */
  readonly calls: readonly ProbeCall[];
  /** Calls of which those that were answered are read. */
  readonly some: readonly ProbeCall[];
}

export interface Probe extends Calls {
  readonly id: string;
  readonly about: Heading | AssumptionId;
  readonly title: string;
  /** Reads the answers to `needs`, to `calls`, and to those of `some` that were answered, in this order. */
  readonly read: (...answers: Answer[]) => ProbeReading;
}

/** What a probe says, without its id and what it is about. */
type Statement = Omit<Probe, 'id' | 'about'>;
type Statements = Readonly<Record<string, Statement>>;

/** States a probe. A list of calls is what it needs. */
export const probe = (
  title: string,
  calls: readonly ProbeCall[] | Partial<Calls>,
  read: Probe['read'],
): Statement => ({
  ...{ title, needs: [], calls: [], some: [] },
  ...('length' in calls ? { needs: calls } : calls),
  read,
});

/** A statement for each family: `token-format.motor`. */
export const ofEach = <Family extends { readonly id: string }>(
  id: string,
  families: readonly Family[],
  state: (family: Family, place: number) => Statement,
): Statements =>
  Object.fromEntries(families.map((family, place) => [`${id}.${family.id}`, state(family, place)]));

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

const isStatement = (each: Statement | Statements): each is Statement =>
  typeof each.read === 'function';
