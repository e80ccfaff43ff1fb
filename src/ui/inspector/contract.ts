import { isSpread, MERCHANTS_PER_PAGE } from '../../control/host.ts';
import type { MerchantStore } from '../../control/merchant-store.ts';
import { anyFamilies, firstList } from '../../products/world.ts';
import { REDACTED } from '../../world/redaction.ts';

/** What the inspector knows of its sandbox and of the merchant API: names that it offers, and the calls it makes itself. */
export interface Contract {
  readonly operations: readonly ContractOperation[];
  readonly families: readonly ContractFamily[];
  /** The call to show where nothing was called yet: one that lists something. */
  readonly firstPath: string;
  /** What stands in the journal where a key or an identity number stood. */
  readonly redacted: string;
  /** Whether the Worlds are spread over many machines: events come of one merchant at a time, and merchants in pages. */
  readonly isSpread: boolean;
  readonly merchantsPerPage: number;
  /** Whether it runs on somebody's servers, so that no caller is on its machine. */
  readonly isHosted: boolean;
  /** Whether there are connections that a fault can break. */
  readonly breaksConnections: boolean;
}

interface ContractOperation {
  readonly operationId: string;
  readonly tag: string;
  /** Whether it leaves what the service remembers alone. */
  readonly readOnly: boolean;
}

interface ContractFamily {
  readonly key: string;
  readonly tag: string;
  /** The operation that begins a purchase. */
  readonly initiate: string;
  /** Where a purchase is completed, by its token. */
  readonly verifyPath: string;
}

/** It is handed to the page, whose code is loaded without any of the families. */
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
