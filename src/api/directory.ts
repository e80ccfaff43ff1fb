import type { Clock, Time } from '../world/clock.ts';
import type { Journal } from '../world/journal.ts';
import type { Settings } from '../world/settings.ts';
import type { WorldCore } from '../world/world.ts';
import type { ActivityFeed } from './activity.ts';
import type { Merchant } from './merchant.ts';
import type { Operation } from './operation.ts';

/** What is kept of the calls that came without a valid key, which belong to no World. */
export interface Anonymous {
  readonly journal: Journal;
  /** What a World shows that is as old as the sandbox. */
  readonly clock: Clock;
  readonly time: Time;
}

/** Who may call. */
export interface MerchantDirectory {
  readonly settings: Settings;
  /** Base of page URLs, without a slash at its end; taken from the request if undefined. */
  readonly publicUrl: string | undefined;
  /** The origin whose pages may read what is answered, or `*`; none if undefined. */
  readonly cors: string | undefined;
  /** Whether keys and identity numbers are taken out of the entries of calls. */
  readonly redact: boolean;
  /** The merchant whose key an `Authorization` header carries. */
  authenticate(authorization: string | undefined): Merchant | undefined;
  /** Throws `NotStoredError` where a World has no room for what a call is to begin. */
  requireRoom(world: WorldCore, operation: Pick<Operation, 'operationId'>): void;
  /** How much of what was sent and answered the journal of a World keeps. */
  readonly maxJournalBytes: number;
  /** Whether a fault can end a connection. */
  readonly breaksConnections: boolean;
  readonly anonymous: Anonymous;
  /** What happens, for those who watch it. */
  readonly activity: ActivityFeed;
  /** Counts a call and gives it an id that no other call has had since its World began. */
  nextRequestId(world: Pick<WorldCore, 'merchant_id' | 'requests'>): string;
  /** The same for a caller without a World. */
  nextAnonymousId(): string;
}
