import { isSpread, MERCHANTS_PER_PAGE } from '../../control/host.ts';
import type { MerchantStore } from '../../control/merchant-store.ts';
import { anyFamilies, firstList } from '../../products/world.ts';
import { REDACTED } from '../../world/redaction.ts';

/** What the inspector knows of its sandbox and of the merchant API. */
export interface Contract {
  readonly operations: readonly { operationId: string; tag: string; readOnly: boolean }[];
  readonly families: readonly ContractFamily[];
  /** The path of a list operation, shown while there are no calls yet. */
  readonly firstPath: string;
  /** What the journal keeps in place of a key or an identity number. */
  readonly redacted: string;
  /** Whether each World lives on a machine of its own: events come per merchant, merchants in pages. */
  readonly isSpread: boolean;
  readonly merchantsPerPage: number;
  /** Whether the sandbox is deployed, so that no caller is on its machine. */
  readonly isHosted: boolean;
  /** Whether there are connections that a fault can break. */
  readonly breaksConnections: boolean;
}

interface ContractFamily {
  readonly key: string;
  readonly tag: string;
  /** The operation that begins a purchase. */
  readonly initiate: string;
  /** Where a purchase is completed, by its token. */
  readonly verifyPath: string;
}

/** The page gets this as data, because its code is bundled without the families. */
export const createContract = ({
  host,
  breaksConnections,
}: Pick<MerchantStore, 'host' | 'breaksConnections'>): Contract => ({
  operations: anyFamilies.flatMap(({ operations }) =>
    operations.map(({ operationId, tag, readOnly }) => ({ operationId, tag, readOnly })),
  ),
  families: anyFamilies.map(({ key, tag, initiateOperation, operations }) => ({
    key,
    tag,
    initiate: initiateOperation,
    verifyPath: operations.find(({ errors }) => errors.includes('token_unknown'))?.path ?? '',
  })),
  firstPath: firstList?.path ?? '',
  redacted: REDACTED,
  isSpread: isSpread(host),
  merchantsPerPage: MERCHANTS_PER_PAGE,
  isHosted: host.isHosted ?? false,
  breaksConnections,
});
