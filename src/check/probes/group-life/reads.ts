import type { AssumptionId } from '../../../core/assumptions.ts';
import type { Settings } from '../../../core/settings.ts';
import { type Json, type Probe, repeats } from '../../probe.ts';
import { foreignList, foreignPolicy } from '../foreign.ts';
import { pagedList } from '../pages.ts';

const list = 'listGroupLifePolicies';
const details = 'getGroupLifePolicyDetails';
const NO_POLICY = 'IN00000000';
const FIELD = 'group-life-details-field';

/** What the list tells of a policy's user. */
const LISTED_USER = [
  'id',
  'first_name',
  'middle_name',
  'surname',
  'phone_no',
  'email',
  'address',
  'gender',
  'created_at',
  'updated_at',
];

/** A policy as the list answers it, made of what verify said: its user has fewer fields. */
const listed = (verified: Json): Json => ({
  ...verified,
  user: Object.fromEntries(LISTED_USER.map((field) => [field, verified.user[field]])),
});

const BOUGHT = ['group_plain', 'group_full'] as const;

const lists = ({ pageSize, listOrder }: Settings): readonly Probe[] => [
  ...pagedList({
    operation: list,
    path: '/api/merchant/group-life/policy/merchant-group-life-policies',
    pageSize,
    bought: BOUGHT,
    key: 'policy_number',
    order: listOrder,
    as: 'gl',
  }),
  {
    name: 'shows what was bought as it was bought',
    operation: list,
    call: (memory) => {
      if (!BOUGHT.every((name) => memory[name])) return 'nothing was bought';
      const { first_page_url, last_page_url } = memory.gl_first100;
      return { url: listOrder === 'newest-first' ? first_page_url : last_page_url };
    },
    claims: (data, memory) =>
      BOUGHT.flatMap((name) => {
        const verified = memory[name];
        const items = Array.isArray(data.data) ? data.data : [];
        const place = items.findIndex(
          (item: Json) => item?.policy_number === verified.policy_number,
        );
        return place === -1 ? [] : repeats(`data.${place}`, listed(verified), 'group-life-items');
      }),
  },
  {
    name: 'answers the details of a listed policy',
    operation: details,
    call: ({ gl_all }) => {
      const number = gl_all?.data?.[0]?.policy_number;
      return number === undefined ? 'there is no policy' : { input: { policy_number: number } };
    },
    claims: (_data, { gl_all }) => repeats('', gl_all.data[0], 'group-life-items'),
  },
];

const detailsOf = (spelling: string): Probe => ({
  name: `answers a policy by ${spelling}`,
  operation: details,
  call: ({ group_plain }) => ({ input: { [spelling]: group_plain.policy_number } }),
  decisions: [FIELD],
  claims: (_data, { group_plain }) => repeats('', group_plain, 'group-life-verify-response'),
});

const refusedDetails = (
  name: string,
  input: Json,
  refused: 'invalid' | 'policy_unknown',
  ...decisions: AssumptionId[]
): Probe => ({
  name,
  operation: details,
  call: () => ({ input }),
  refused,
  ...(refused === 'invalid' && { fields: ['policy_number'] }),
  decisions,
});

const lookUps: readonly Probe[] = [
  ...['policy_number', 'Policy_number', 'policyNumber'].map(detailsOf),
  refusedDetails('asks for a policy number', {}, 'invalid', FIELD),
  refusedDetails(
    'does not find a policy that nobody has',
    { policy_number: NO_POLICY },
    'policy_unknown',
    'http-status',
  ),
];

/** The list, look-ups by policy number, and both by another merchant. */
export const groupLifeReads = (settings: Settings): readonly Probe[] => [
  ...lists(settings),
  ...lookUps,
  foreignPolicy(details, ({ group_plain }) => ({
    input: { policy_number: group_plain.policy_number },
  })),
  foreignList(list, 'total'),
];
