import type { Settings } from '../../../core/settings.ts';
import { EXAMPLE_POLICY_NUMBER } from '../../../products/motor/examples.ts';
import { getPolicyDetails } from '../../../products/motor/routes/get-policy-details.ts';
import { listPolicies } from '../../../products/motor/routes/list-policies.ts';
import { MotorListedPolicy } from '../../../products/motor/schemas.ts';
import { type Json, repeats, satisfies } from '../../assertions.ts';
import { dataSchema, echoIn } from '../../contract.ts';
import type { Memory, Probe } from '../../probe.ts';
import { foreignList, observeOrder, placeOf } from '../lists.ts';
import {
  detailsOfListed,
  findsBySpellings,
  foreignPolicy,
  paddedLookUp,
  refusedLookUps,
} from '../look-ups.ts';
import { MONTHLY, QUARTERLY, YEARLY } from './purchases.ts';

/** A policy as details answers it, made of what verify said. */
const detailed = (verified: Json): Json =>
  echoIn(dataSchema(getPolicyDetails), { ...verified, merchant_user_id: verified.merchant_id });

/** A policy as the list answers it, made of what verify said. */
const listed = (verified: Json): Json =>
  echoIn(MotorListedPolicy, { ...verified, status: 'activated' });

const BOUGHT = [YEARLY, MONTHLY, QUARTERLY].map(({ saveAs }) => saveAs);

const placesOf = (data: Json, memory: Memory): number[] =>
  BOUGHT.map((name) => placeOf(data, 'policy_number', memory[name].policy_number));

const lists = ({ listOrder }: Settings): readonly Probe[] => [
  {
    name: 'lists policies',
    operation: listPolicies,
    request: () => ({}),
    saveAs: 'motor list',
    assertions: () => [satisfies('', 'an array', Array.isArray, 'motor-list')],
  },
  {
    name: 'lists what was bought, in its order',
    operation: listPolicies,
    request: (memory) => (BOUGHT.every((name) => memory[name]) ? {} : 'nothing was bought'),
    observe: (data, memory) => {
      const [first, , last] = placesOf(data, memory) as [number, number, number];
      return observeOrder(first, last);
    },
    assertions: (data, memory) => {
      const places = placesOf(data, memory);
      const ordered = listOrder === 'oldest-first' ? places : places.toReversed();
      const inOrder = ordered.every((place, n) => n === 0 || place > (ordered[n - 1] as number));
      return [
        ...BOUGHT.flatMap((name, n) => {
          const [place, verified] = [places[n], memory[name]];
          if (place !== -1) return repeats(String(place), listed(verified), 'motor-list');
          return [satisfies('', `${verified.policy_number} among them`, () => false)];
        }),
        satisfies('', listOrder, () => inOrder, 'list-order'),
      ];
    },
  },
  ...detailsOfListed(getPolicyDetails, (memory) => memory['motor list'] ?? []),
];

/** What is known of the first merchant's: what the list shows, and what was bought. */
const recordsOf = (memory: Memory): Json[] => [
  ...(Array.isArray(memory['motor list']) ? memory['motor list'] : []),
  ...BOUGHT.flatMap((name) => memory[name] ?? []),
];

const bought = (memory: Memory): Json => detailed(memory[YEARLY.saveAs]);

/** The list, look-ups by policy number, and both by another merchant. */
export const motorPolicies = (settings: Settings): readonly Probe[] => [
  ...lists(settings),
  ...findsBySpellings(getPolicyDetails, bought, 'motor-policy-number'),
  {
    name: 'takes the first of the spellings',
    operation: getPolicyDetails,
    request: (memory) => {
      const { policy_number } = bought(memory);
      return { input: { policyNumber: EXAMPLE_POLICY_NUMBER, Policy_number: policy_number } };
    },
    assumptions: ['motor-details-field'],
    assertions: (_data, memory) => repeats('', bought(memory), 'motor-policy-number'),
  },
  ...refusedLookUps(getPolicyDetails),
  paddedLookUp(getPolicyDetails, (memory) => recordsOf(memory).at(-1)?.policy_number, settings),
  foreignPolicy(getPolicyDetails, (memory) => recordsOf(memory).at(-1)?.policy_number),
  ...foreignList(listPolicies, 'policy_number', recordsOf),
];
