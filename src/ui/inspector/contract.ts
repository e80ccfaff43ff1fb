/* What the inspector needs to know of the sandbox and the merchant API, passed to it as data. */

import { MERCHANTS_PER_PAGE } from '../../control/host.ts';
import type { MerchantStore } from '../../control/merchant-store.ts';
import { LONGEST_LIFETIME, tokenLifetimes } from '../../products/lifetimes.ts';
import { sampleRequests } from '../../products/sample-requests.ts';
import { anyFamilies, firstList } from '../../products/world.ts';
import { REDACTED } from '../../world/redaction.ts';
import { minutesDuration } from '../../world/time.ts';

export interface Contract {
  readonly operations: readonly { operationId: string; tag: string }[];
  readonly families: readonly ContractFamily[];
  /** The folder of all operations' paths, which narrow rows leave out. */
  readonly basePath: string;
  /** How long purchase tokens live in words, and the minutes after which every token has expired. */
  readonly tokenLifetimes: string;
  readonly longestLifetime: number;
  /** The path of a list operation, for the first call. */
  readonly firstPath: string;
  /** What the journal shows in place of a key or an identity number. */
  readonly redacted: string;
  /**
   * Whether the sandbox is deployed and its Worlds are on different machines. Events are then per merchant, merchants
   * come in pages, and no caller is local.
   */
  readonly isSpread: boolean;
  readonly merchantsPerPage: number;
  /** Whether a new key opens a World of its own. */
  readonly opensWorlds: boolean;
  /** Whether faults can break connections. */
  readonly breaksConnections: boolean;
}

interface ContractFamily {
  readonly key: string;
  readonly tag: string;
  /** The operation that starts a purchase. */
  readonly initiate: string;
  /** Its path. */
  readonly initiatePath: string;
  /** A body that it accepts. */
  readonly sample: object;
  /** The fields of the sample that are today's day. */
  readonly dayFields: readonly string[];
  /** The operation that completes a purchase with its token, and its path. */
  readonly verify: string;
  readonly verifyPath: string;
  /** The operation that buys a further period, and its path. A family may have none. */
  readonly renew: string | undefined;
  readonly renewPath: string | undefined;
  /** A duration after which its token has expired. */
  readonly expiry: string;
}

export const createContract = ({
  defaults,
  host,
  breaksConnections,
}: Pick<MerchantStore, 'defaults' | 'host' | 'breaksConnections'>): Contract => ({
  operations: anyFamilies.flatMap(({ operations }) =>
    operations.map(({ operationId, tag }) => ({ operationId, tag })),
  ),
  families: anyFamilies.map((family) => ({
    key: family.key,
    tag: family.tag,
    sample: sampleRequests[family.initiateOperation],
    dayFields: family.dayFields,
    ...tokenPathsOf(family),
    ...renewalOf(family),
    // A minute more, because a profile can say that the end itself belongs to the lifetime.
    expiry: minutesDuration(family.tokenRules.lifetimeMinutes + 1),
  })),
  basePath: folderOf(anyFamilies.flatMap(({ operations }) => operations.map(({ path }) => path))),
  tokenLifetimes: tokenLifetimes(),
  longestLifetime: LONGEST_LIFETIME,
  firstPath: firstList?.path ?? '',
  redacted: REDACTED,
  isSpread: host.cluster !== undefined,
  merchantsPerPage: MERCHANTS_PER_PAGE,
  opensWorlds: defaults.autoMerchants,
  breaksConnections,
});

/** The two operations of a purchase, and their paths. */
export function tokenPathsOf({ initiateOperation, operations }: (typeof anyFamilies)[number]) {
  const initiate = operations.find(({ operationId }) => operationId === initiateOperation);
  const verify = operations.find(({ errors }) => errors.includes('token_unknown'));
  return {
    initiate: initiateOperation,
    initiatePath: initiate?.path ?? '',
    verify: verify?.operationId ?? '',
    verifyPath: verify?.path ?? '',
  };
}

/** What buys a further period of a policy. */
function renewalOf({ operations }: (typeof anyFamilies)[number]) {
  const renew = operations.find(
    ({ readOnly, errors }) => !readOnly && errors.includes('policy_unknown'),
  );
  return { renew: renew?.operationId, renewPath: renew?.path };
}

/** The segments that all paths begin with. */
const folderOf = ([first = '', ...others]: readonly string[]): string => {
  const segments = first.split('/');
  const end = segments.findIndex((_, place) => {
    const folder = segments.slice(0, place + 1).join('/');
    return others.some((path) => !path.startsWith(`${folder}/`));
  });
  return segments.slice(0, end).join('/');
};
