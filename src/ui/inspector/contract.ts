/* What the inspector needs to know of the sandbox and the merchant API, passed to it as data. */

import type { Operation } from '../../api/operation.ts';
import { MERCHANTS_PER_PAGE } from '../../control/host.ts';
import type { MerchantStore } from '../../control/merchant-store.ts';
import { productsOf } from '../../control/products.ts';
import { samplePurchase } from '../../products/samples.ts';
import { anyFamilies } from '../../products/world.ts';
import type { FaultEffect } from '../../types/public.ts';
import { FAULT_KINDS, type FaultPreset } from '../../world/fault-kinds.ts';
import { REDACTED } from '../../world/redaction.ts';

export interface Contract {
  readonly operations: readonly ContractOperation[];
  /** With the fields of a sample that are today's day. */
  readonly families: readonly Pick<(typeof anyFamilies)[number], 'key' | 'tag' | 'dayFields'>[];
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
  /** The faults that the page offers by name: lost responses first, because those are rarely tested. */
  readonly faultPresets: readonly OfferedFault[];
  /** The kinds of faults after which the client has no complete response. */
  readonly losingFaults: readonly string[];
}

export type OfferedFault = FaultPreset<FaultEffect>;

interface ContractOperation
  extends Pick<Operation, 'operationId' | 'tag' | 'role' | 'method' | 'path'> {
  /** A body that it accepts, if it takes one. */
  readonly sample: object | undefined;
}

/** @param today the day at which a new World starts */
export const createContract = (
  {
    defaults,
    host,
    breaksConnections,
  }: Pick<MerchantStore, 'defaults' | 'host' | 'breaksConnections'>,
  today: string,
): Contract => ({
  operations: anyFamilies.flatMap((family) =>
    family.operations.map(({ operationId, tag, role, method, path, request }) => ({
      operationId,
      tag,
      role,
      method,
      path,
      sample:
        role === 'initiate'
          ? samplePurchase(family, productsOf(defaults.fixtures), today)
          : (request.body?.content['application/json'].example as object | undefined),
    })),
  ),
  families: anyFamilies.map(({ key, tag, dayFields }) => ({ key, tag, dayFields })),
  redacted: REDACTED,
  isSpread: host.cluster !== undefined,
  merchantsPerPage: MERCHANTS_PER_PAGE,
  opensWorlds: defaults.autoMerchants,
  breaksConnections,
  faultPresets: FAULT_KINDS.toSorted((a, b) => Number(isLosing(b)) - Number(isLosing(a)))
    .filter(({ endsConnection }) => breaksConnections || !endsConnection)
    .flatMap(({ presets }) => presets),
  losingFaults: FAULT_KINDS.filter(isLosing).map(({ name }) => name),
});

const isLosing = ({ response }: (typeof FAULT_KINDS)[number]): boolean => response === 'lost';
