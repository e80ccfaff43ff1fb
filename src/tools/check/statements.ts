/* Statements that many probes make: calls are refused or accepted, fields are required, a list shows a policy. */

import type { Answer } from './answer.ts';
import { type Changes, type ProbeCall, varied } from './call.ts';
import { withoutFields } from './calls/refusals.ts';
import { type FamilyCalls, findListed } from './calls/shared.ts';
import { ofEach, probe } from './probe.ts';
import { all, type ProbeReading, serious, unknown } from './reading.ts';
import type { Fields } from './values.ts';

/** Calls with other fields that the contract refuses. */
export const wrong = (base: ProbeCall, ...changes: readonly Changes[]): readonly ProbeCall[] =>
  changes.map((each) => varied(base, '', each, { refusal: 'invalid' }));

/** That each of these calls is refused. */
export const refuses = (title: string, calls: readonly ProbeCall[]) =>
  ofEach(title, calls, (call) => [{ calls: [call] }, (answer) => answer.refused()]);

/** That calls with other fields are accepted, and of what they answer. */
export const accepts = (
  title: string,
  calls: readonly ProbeCall[],
  {
    field,
    reads,
  }: {
    /** The field that it is about, if the call has others, too. */
    readonly field?: string;
    readonly reads?: (answer: Answer) => ProbeReading;
  } = {},
) =>
  ofEach(title, calls, (call) => [
    { calls: [call] },
    (answer) =>
      answer.ok || field === undefined || answer.names(field)
        ? answer.accepted(reads)
        : unknown(`a call with it was ${answer.shown}`),
  ]);

/** What calls are accepted under the second of two values of a profile. All have to say the same. */
export const allows = (
  title: string,
  [published, other]: readonly [unknown, unknown],
  calls: readonly ProbeCall[],
) =>
  ofEach(title, calls, (call) => [
    { calls: [call] },
    (answer) => {
      if (answer.ok) return answer.decided(other);
      return answer.status < 500 ? answer.decided(published) : answer.refused();
    },
  ]);

/** That a call requires these fields of what it sends: the refusal of an empty body names them. */
export const requires = (
  title: string,
  bases: readonly ProbeCall[],
  isRequired: (field: string) => boolean = () => true,
) =>
  ofEach(title, bases, (base) => [
    { needs: [base], calls: [withoutFields(base)] },
    ({ sent }, empty) => {
      if (empty.ok || empty.status >= 500) return empty.refused();
      const isFirstAlone = empty.problems.length < 2 && Object.keys(sent).length > 1;
      if (isFirstAlone) return unknown('problems are told one at a time');
      const optional = Object.keys(sent).filter(
        (field) => isRequired(field) && !empty.names(field),
      );
      const seen = `not required: ${optional.join(', ')}`;
      return empty.holds(optional.length === 0, 'required', seen);
    },
  ]);

/** What a list says of a policy. The first of the needs is an answer that shows it. */
export const ofListed = (
  title: string,
  family: FamilyCalls,
  needs: readonly ProbeCall[],
  read: (item: Fields, list: Answer, shown: Answer) => ProbeReading,
) =>
  probe(title, [family.list, family.lastPage, ...needs], (list, lastPage, shown) => {
    const item = findListed(family, [list, lastPage], shown);
    return item ? read(item, list, shown) : unknown('the policy is not in the list');
  });

/** That a call with the token of somebody else is refused like one with an unknown token. */
export const asUnknown = (_: Answer, other: Answer, none: Answer): ProbeReading =>
  all(serious(other.refused()), other.same(none.message, other.message));
