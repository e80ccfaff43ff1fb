import type { Settings } from '../../../core/settings.ts';
import { listPolicies } from '../../../products/group-life/routes/list-policies.ts';
import { policyDetails } from '../../../products/group-life/routes/policy-details.ts';
import { GroupLifeListedPolicy } from '../../../products/group-life/schemas.ts';
import { repeats } from '../../assertions.ts';
import { echoIn } from '../../contract.ts';
import type { Memory, Probe } from '../../probe.ts';
import { foreignList, listedRecords, pagedList, showsBought } from '../lists.ts';
import {
  detailsOfListed,
  findsBySpellings,
  foreignPolicy,
  paddedLookUp,
  refusedLookUps,
} from '../look-ups.ts';
import { keptPage } from '../pages.ts';
import { FULL, PLAIN } from './purchases.ts';

const bought = (memory: Memory) => memory[PLAIN.saveAs];
/** What is known of the first merchant's: what the list shows, and what was bought. */
const recordsOf = (memory: Memory) => [
  ...listedRecords(memory, listPolicies),
  ...(bought(memory) ? [bought(memory)] : []),
];

/** The list, look-ups by policy number, and both by another merchant. */
export function groupLifePolicies(settings: Settings): readonly Probe[] {
  const list = {
    operation: listPolicies,
    settings,
    bought: [PLAIN.saveAs, FULL.saveAs],
    key: 'policy_number',
  };
  return [
    ...pagedList(list),
    showsBought(list, (path, _item, name, memory) =>
      repeats(path, echoIn(GroupLifeListedPolicy, memory[name]), 'group-life-items'),
    ),
    ...detailsOfListed(
      policyDetails,
      (memory) => keptPage(memory, listPolicies, 'largest')?.data ?? [],
      'group-life-items',
    ),
    ...findsBySpellings(policyDetails, bought, 'group-life-verify-response'),
    ...refusedLookUps(policyDetails),
    paddedLookUp(policyDetails, (memory) => recordsOf(memory).at(-1)?.policy_number, settings),
    foreignPolicy(policyDetails, (memory) => recordsOf(memory).at(-1)?.policy_number),
    ...foreignList(listPolicies, 'policy_number', recordsOf),
  ];
}
