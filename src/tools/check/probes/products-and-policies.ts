/* "Endpoints": which products and policies a call may name. The catalogue is the provider's. */

import { call, type ProbeCall } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { families } from '../calls/index.ts';
import { microHealth, quote } from '../calls/micro-health.ts';
import { motor, motorQuote } from '../calls/motor.ts';
import type { FamilyCalls } from '../calls/shared.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import { refused, shows } from '../reading.ts';
import { accepts, refuses, requires, wrong } from '../statements.ts';

const UNKNOWN = { product_id: 987_654_321 };

/** A call with the product of another family. */
const ofFamily = (base: ProbeCall, { key }: FamilyCalls) =>
  wrong(base, ({ products }) => ({ product_id: products[key] }));

/** That details take the number of a policy in another field, too. */
const takes = ({ id, number, verify, lookup }: FamilyCalls, field: string) =>
  accepts(
    `Details of a ${id} policy take its number as ${field}, too`,
    [
      call(lookup.operation, `by ${field}`, { needs: [verify, lookup] }, (_, bought) => ({
        [field]: bought.get(number),
      })),
    ],
    { reads: (answer) => shows(answer, number, answer.sent[field]) },
  );

export const productsAndPolicies = probesAbout({
  Endpoints: ofEach('unknown-policy', families, ({ id, lookup, unknownPolicy }) =>
    refuses(`A look-up of an unknown ${id} policy is refused`, [unknownPolicy], [lookup]),
  ),
  catalogue: probe(
    'An unknown product is refused',
    { some: [...wrong(quote, UNKNOWN), ...wrong(motorQuote, UNKNOWN)] },
    refused,
  ),
  'motor-product': probe(
    'A product of another family is refused',
    {
      some: [
        ...ofFamily(quote, motor),
        ...ofFamily(motorQuote, microHealth),
        ...ofFamily(groupLife.initiate, motor),
      ],
    },
    refused,
  ),
  'motor-details-field': {
    'motor-details-field.policyNumber': takes(motor, 'policyNumber'),
    'motor-details-field.policy_number': takes(motor, 'policy_number'),
    'motor-details-required': requires(
      'Details of a motor policy ask for its Policy_number',
      motor.lookup,
    ),
  },
  'group-life-details-field': {
    'group-life-details-field.policyNumber': takes(groupLife, 'policyNumber'),
    'group-life-details-field.Policy_number': takes(groupLife, 'Policy_number'),
    'group-life-details-required': requires(
      'Details of a group-life policy ask for its policy_number',
      groupLife.lookup,
    ),
  },
});
