/* "Endpoints": which products and policies a call may name. The catalogue is the provider's. */

import { call, type ProbeCall } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { microHealth, quote } from '../calls/micro-health.ts';
import { motor, motorQuote } from '../calls/motor.ts';
import { ofPolicies } from '../calls/refusals.ts';
import type { FamilyCalls } from '../calls/shared.ts';
import { ofEach, probesAbout } from '../probe.ts';

import { accepts, refuses, requires, wrong } from '../statements.ts';

/** A call with the product of another family. */
const ofFamily = (base: ProbeCall, { key }: FamilyCalls) =>
  wrong(base, ({ products }) => ({ product_id: products[key] }));

/** That details take the number of a policy in other fields, too. */
const takes = ({ id, number, verify, lookup }: FamilyCalls, fields: readonly string[]) =>
  accepts(
    `Details of a ${id} policy take its number as ${fields.join(' and ')}, too`,
    fields.map((field) =>
      call(lookup.operation, `by ${field}`, { needs: [verify, lookup] }, (_, bought) => ({
        [field]: bought.get(number),
      })),
    ),
    { reads: (answer) => answer.same(Object.values(answer.sent)[0], answer.get(number)) },
  );

export const productsAndPolicies = probesAbout({
  Endpoints: {
    'unknown-policy': ofEach(
      'An unknown policy is not shown, and not renewed',
      ofPolicies,
      (of) => [{ needs: [of.own], calls: [of.none] }, (_, answer) => answer.refused()],
    ),
  },
  catalogue: refuses(
    'An unknown product is refused',
    [quote, motorQuote].flatMap((base) => wrong(base, { product_id: 987_654_321 })),
  ),
  'motor-product': refuses('A product of another family is refused', [
    ...ofFamily(quote, motor),
    ...ofFamily(motorQuote, microHealth),
    ...ofFamily(groupLife.initiate, motor),
  ]),
  'motor-details-field': {
    'motor-details-field': takes(motor, ['policyNumber', 'policy_number']),
    'motor-details-required': requires('Details of a motor policy ask for its Policy_number', [
      motor.lookup,
    ]),
  },
  'group-life-details-field': {
    'group-life-details-field': takes(groupLife, ['policyNumber', 'Policy_number']),
    'group-life-details-required': requires(
      'Details of a group-life policy ask for its policy_number',
      [groupLife.lookup],
    ),
  },
});
