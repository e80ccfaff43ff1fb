import type { Fetch } from '../../../src/contract/client.ts';
import { type Mutant, onSuccess, operations, plain } from './mutant.ts';
import { changing } from './mutate.ts';

/** Clocks that do not go as they say, and amounts that are rounded otherwise. */
export function ofClocks(): Mutant[] {
  const verifies = operations.filter(({ operation }) => /^verify/.test(operation.operationId));
  const clocks = verifies.flatMap(({ family, operation }) =>
    [-60_000, -1000, -1, 2, 1000, 60_000].map(
      (ms): Mutant => ({
        name: `${operation.operationId}: tokens live ${-ms} ms longer`,
        family,
        operation: operation.operationId,
        paths: ['$.success'],
        serve: (changed) => {
          changed();
          return lying(ms);
        },
      }),
    ),
  );
  const rounding = (
    operationId: string,
    path: string,
    field: string,
    round: (value: number) => number,
  ): Mutant => {
    const { family, operation } = operations.find(
      (each) => each.operation.operationId === operationId,
    ) as (typeof operations)[number];
    return {
      name: `${operationId}: ${path} rounded otherwise`,
      family,
      operation: operationId,
      paths: [path],
      serve: (changed) =>
        changing(
          plain(),
          operation,
          onSuccess(({ data }) => {
            data[field] = round(data[field]);
          }),
          changed,
        ),
    };
  };
  return [
    ...clocks,
    rounding('getMotorQuote', '$.data.premium', 'premium', Math.round),
    rounding('getMotorQuote', '$.data.premium', 'premium', (value) => Math.floor(value * 10) / 10),
    rounding('getMotorQuote', '$.data.premium', 'premium', (value) => value * 1.01),
    rounding('getMotorQuote', '$.data.premium', 'premium', (value) =>
      value === 50.01 ? 50 : value,
    ),
    rounding(
      'getMicroHealthQuote',
      '$.data.quote_price',
      'quote_price',
      (value) => Math.ceil(value / 1000) * 1000,
    ),
  ];
}

/** A sandbox whose clock moves on further, or less far, than it is told. */
function lying(ms: number): Fetch {
  const fetch = plain();
  return async (request) => {
    if (!request.url.endsWith('/clock/advance')) return fetch(request);
    const { to } = await request.json();
    const shifted = new Date(Date.parse(to) + ms).toISOString();
    const answer = await fetch(
      new Request(request.url, {
        method: 'POST',
        headers: request.headers,
        body: JSON.stringify({ to: shifted }),
      }),
    );
    return answer;
  };
}
