/* Statements that many probes make: calls are refused or accepted, fields are required, a list shows a policy. */

import { type Answer, type Changes, type Fields, type ProbeCall, varied } from './call.ts';
import { withoutFields } from './calls/refusals.ts';
import { type FamilyCalls, findListed } from './calls/shared.ts';
import { ofEach, probe } from './probe.ts';
import {
  accepted,
  all,
  decided,
  holds,
  type ProbeReading,
  refused,
  same,
  serious,
  unknown,
} from './reading.ts';

/** Calls with other fields that the contract refuses. */
export const wrong = (base: ProbeCall, ...changes: readonly Changes[]): readonly ProbeCall[] =>
  changes.map((each) => varied(base, '', each, { refusal: 'invalid' }));

/** That each of these calls is refused. */
export const refuses = (title: string, calls: readonly ProbeCall[]) =>
  ofEach(title, calls, (call) => [{ calls: [call] }, refused]);

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
        ? accepted(answer, reads)
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
      if (answer.ok) return decided(other, answer);
      return answer.status < 500 ? decided(published, answer) : refused(answer);
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
      if (empty.ok || empty.status >= 500) return refused(empty);
      const isFirstAlone = empty.problems.length < 2 && Object.keys(sent).length > 1;
      if (isFirstAlone) return unknown('problems are told one at a time');
      const optional = Object.keys(sent).filter(
        (field) => isRequired(field) && !empty.names(field),
      );
      const seen = `not required: ${optional.join(', ')}`;
      return holds(optional.length === 0, 'required', seen, empty);
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
  all(serious(refused(other)), same(none.message, other.message, other));
