import type { AssumptionId } from '../../core/assumptions.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { Operation } from '../../http/operation.ts';
import { wholeBasisOf } from '../../http/validation.ts';
import { anyFamilies } from '../../products/world.ts';
import { exampleInput, requiredFields } from '../contract.ts';
import type { Memory, Probe, ProbeRequest } from '../probe.ts';

/** How an operation refuses requests; one that is made of earlier responses is a function. */
export const refusing =
  (operation: Operation) =>
  (
    name: string,
    request: ProbeRequest | Probe['request'],
    refused: ErrorCode,
    ...assumptions: readonly AssumptionId[]
  ): Probe => ({
    name,
    operation,
    request: typeof request === 'function' ? request : () => request,
    refused,
    assumptions,
  });

/** Fields of an input, by their wire names. */
export type Input = Readonly<Record<string, unknown>>;

type RefusesInput = (
  name: string,
  mistake: Input,
  ...assumptions: readonly AssumptionId[]
) => Probe;

/**
 * How an operation refuses an input with a mistake in it. The refusal names the fields of the mistake, in
 * the order of the contract; unless assumptions are given, it rests on those of their schemas.
 *
 * @param request a request that is accepted but for the mistake
 */
export const refusingInput =
  (
    operation: Operation,
    request: (mistake: Input, memory: Memory) => ProbeRequest | string,
  ): RefusesInput =>
  (name, mistake, ...given) => {
    const shape = Object.entries(operation.input?.shape ?? {});
    const mistaken = shape.filter(([field]) => Object.hasOwn(mistake, field));
    const assumptions =
      given.length > 0 ? given : new Set(mistaken.flatMap(([, schema]) => wholeBasisOf(schema)));
    return {
      ...refusing(operation)(name, (memory) => request(mistake, memory), 'invalid', ...assumptions),
      fields: mistaken.map(([field]) => field),
    };
  };

/** An input without anything in it: the refusal names every field that is required. */
export const requiresAll = (
  operation: Operation,
  name: string,
  assumptions: readonly AssumptionId[] = operation.requiredBy ?? [],
): Probe => ({
  ...refusing(operation)(name, { input: {} }, 'invalid', ...assumptions),
  fields: requiredFields(operation),
});

/** Texts and days beyond what any request may hold, in fields of an operation. */
export const refusedForms = (
  refuses: RefusesInput,
  fields: { readonly name: string; readonly birth: string },
): Probe[] => [
  refuses('refuses an e-mail address that is none', { email: 'sandbox-check' }, 'email'),
  refuses('refuses an e-mail address that ends in one letter', { email: 'check@a.b' }, 'email'),
  refuses('refuses an e-mail address beyond ASCII', { email: 'ch\u00e9ck@example.com' }, 'email'),
  refuses('refuses a control character', { [fields.name]: 'Sandbox\u0007Check' }, 'encoding'),
  refuses('refuses a line break in a name', { [fields.name]: 'Sandbox\nCheck' }, 'encoding'),
  refuses('refuses half of a surrogate pair', { [fields.name]: 'Check \ud83d' }, 'encoding'),
  refuses('refuses a day before 1900', { [fields.birth]: '1899-12-31' }, 'date-limits'),
];

/** A product that another family sells: the one in its documented purchase. */
export function refusesForeignProduct(refuses: RefusesInput, operation: Operation): Probe {
  const other = anyFamilies.find(({ operations }) => !operations.some((own) => own === operation));
  const initiate = other?.operations.find((own) => own.operationId === other.initiateOperation);
  const { product_id } = initiate ? exampleInput(initiate) : {};
  const name = 'refuses a product of another family';
  return refuses(name, { product_id }, 'motor-product', 'catalogue');
}
