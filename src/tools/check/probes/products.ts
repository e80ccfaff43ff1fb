/* "Endpoints": which products a call takes. The catalogue is the provider's. */

import type { ProbeCall } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { microHealth, quote } from '../calls/micro-health.ts';
import { motor, motorQuote } from '../calls/motor.ts';
import type { FamilyCalls } from '../calls/shared.ts';
import { probesAbout } from '../probe.ts';
import { refuses, wrong } from '../statements.ts';

const UNKNOWN = { product_id: 987_654_321 };

/** A call with the product of another family. */
const foreign = (base: ProbeCall, { key }: FamilyCalls) =>
  wrong(base, ({ products }) => ({ product_id: products[key] }));

export const products = probesAbout({
  catalogue: {
    catalogue: refuses('An unknown product is refused', wrong(quote, UNKNOWN)),
    'motor-catalogue': refuses(
      'A motor quote for an unknown product is refused',
      wrong(motorQuote, UNKNOWN),
    ),
  },
  'motor-product': {
    'product-of-another-family': refuses(
      'A product of another family is refused',
      foreign(quote, motor),
    ),
    'motor-product': refuses(
      'A motor quote for a product of another family is refused',
      foreign(motorQuote, microHealth),
    ),
    'group-life-product': refuses(
      'A group-life purchase of a product of another family is refused',
      foreign(groupLife.initiate, motor),
    ),
  },
});
