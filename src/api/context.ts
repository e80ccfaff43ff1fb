import type { Context } from 'hono';
import type { Clock, Time } from '../world/clock.ts';
import type { DomainError } from '../world/errors.ts';
import type { Fault } from '../world/faults.ts';
import type { Journal, RawHeaders } from '../world/journal.ts';
import type { BodyText } from '../world/json.ts';
import type { Settings } from '../world/settings.ts';
import type { Instant } from '../world/time.ts';
import type { WorldCore } from '../world/world.ts';
import type { ActivityFeed, Merchant } from './activity.ts';
import type { Operation } from './operation.ts';
import type { ReadBytes } from './request.ts';

/** A connection that ends without a whole response: a fault wanted it so, or the client went away. */
export class ConnectionLost extends TypeError {
  override readonly name = 'ConnectionLost';
  /** The response of which half the body still leaves; nothing leaves without one. */
  readonly truncated: ResponseParts | undefined;

  /** @param options the cause of a request that could not be read; a fault has none */
  constructor(truncated?: ResponseParts, options?: ErrorOptions) {
    super('The connection was lost (fault)', options);
    this.truncated = truncated;
  }
}

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

/** What a server knows of a request besides the request itself. */
export interface Connection {
  /** Header names and values in turn, as they came. */
  readonly rawHeaders?: readonly string[];
  /** The address of the client. */
  readonly remoteAddress?: string | undefined;
  /** The host and port that the target names where it is a whole URL; others name theirs by `Host` alone. */
  readonly authority?: string | undefined;
  /** Aborts when the server closes: whatever waits then ends. */
  readonly closing?: AbortSignal;
  /** Cuts the connection: of a client that does not read what it is sent. */
  readonly abort?: () => void;
  /** Reads the body in place of the request. Rejects where the client goes away before its end. */
  readonly readBytes?: ReadBytes;
  /** What responses are made of; the platform's own unless given. */
  readonly Response?: typeof Response;
  /** Takes what the program did wrong that asks in this process, which then hears of it instead of the response. */
  readonly throwAtCaller?: (error: Error) => void;
}

/** A response while it can still be changed, and as the journal keeps it. */
export interface ResponseParts {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: BodyText;
}

/** The body of a request. */
export interface RequestBody {
  /** Null where there is none, or it could not be read. */
  readonly text: string | null;
  /** Why it could not be read. */
  readonly error: DomainError | undefined;
}

export const NO_BODY: RequestBody = { text: null, error: undefined };

/** What a sandbox hands to its app with every request. */
export interface SandboxBindings {
  readonly merchants: MerchantDirectory;
  readonly connection: Connection;
}

/** A call under way. Each field is set by the middleware named beside it. */
export interface Call {
  /** `journal`: undefined where no operation has the path. */
  readonly operation: Operation | undefined;
  /** `authenticate`: undefined as long as nobody is known to call. */
  merchant: Merchant | undefined;
  /** `authenticate`: the key that was sent. It stays, though the merchant may get another one meanwhile. */
  key: string | null;
  /** `authenticate`: `req-1-42`, counted by the World. */
  requestId: string;
  /** `authenticate`: when the request came, by the World's clock. */
  startedAt: Instant;
  /** `journal`: when the request came in real time, by the stopwatch; undefined where nobody watches. */
  readonly since: number | undefined;
  /** `journal`: the headers as they came. */
  readonly headers: RawHeaders;
  /** `readBody` */
  body: RequestBody;
  /** `faults`: the fault that touches it. */
  fault: Fault | undefined;
  /** `respond`: what the journal will show; undefined where there is no response. */
  response: ResponseParts | undefined;
  /** `journal`: whether its entry is written already, or there will be none. */
  recorded: boolean;
}

/** The environment of the merchant API. */
export interface MerchantEnv<W extends WorldCore = WorldCore> {
  Bindings: SandboxBindings;
  Variables: {
    /** `journal` */
    call: Call;
    /** `authenticate`: a request keeps the World it began with. */
    world: W;
    /** `now`: the one moment that rules see. */
    now: Instant;
  };
}

export type MerchantContext<W extends WorldCore = WorldCore> = Context<MerchantEnv<W>>;
