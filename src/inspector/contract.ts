import { REDACTED } from '../core/redaction.ts';
import { anyFamilies, firstList } from '../products/world.ts';

/** What the inspector knows of the merchant API: names that it offers, and the calls it makes itself. */
export interface Contract {
  readonly operations: readonly ContractOperation[];
  readonly families: readonly ContractFamily[];
  /** The call to show where nothing was called yet: one that lists something. */
  readonly firstPath: string;
  /** What stands in the journal where a key or an identity number stood. */
  readonly redacted: string;
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
export const createContract = (): Contract => ({
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
});
