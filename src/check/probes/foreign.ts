import { is, type Probe } from '../probe.ts';

/*
 * What a second merchant sees of the first: nothing, and nothing that tells a foreign record from one
 * that does not exist.
 */

/** A look-up, by a second merchant, of a policy that the first one has. */
export const foreignPolicy = (operation: string, call: Probe['call']): Probe => ({
  name: "answers another merchant's policy as one nobody has",
  operation,
  as: 'minted',
  call,
  refused: 'policy_unknown',
  decisions: ['foreign-policy'],
});

/**
 * The list of a second merchant, which has bought nothing.
 *
 * @param count where in the data the number of all records stands
 */
export const foreignList = (operation: string, count: 'total' | 'length'): Probe => ({
  name: "lists nothing of another merchant's",
  operation,
  as: 'minted',
  call: () => ({}),
  claims: () => [is(count, 0)],
});
