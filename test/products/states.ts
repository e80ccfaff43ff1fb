import { type ProductFamily, policiesIn } from '../../src/products/family.ts';
import { PUBLISHED } from '../../src/world/settings.ts';
import { Tables } from '../../src/world/tables.ts';

/** A family's state in a World with these records. */
export function stateWith(family: ProductFamily, records: object) {
  const state = family.createState(records, { tables: new Tables(), settings: PUBLISHED });
  family.policiesOf(state).loadAll(policiesIn(family, records));
  return state;
}
