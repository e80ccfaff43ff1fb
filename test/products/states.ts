import { type ProductFamily, policiesIn } from '../../src/products/family.ts';
import { Tables } from '../../src/world/tables.ts';
import type { TokenStore } from '../../src/world/tokens.ts';

/** A family's part of a World that holds these records. */
export function stateWith<
  Records extends object,
  Details extends object,
  State extends { readonly tokens: TokenStore<Details> },
  Policy extends object,
>(family: ProductFamily<string, Records, Details, State, Policy>, records: Records): State {
  const state = family.createState(records, new Tables());
  const policies = policiesIn(family as unknown as ProductFamily, records);
  family.policiesOf(state).loadAll(policies as Policy[]);
  return state;
}
