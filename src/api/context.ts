import type { Context } from 'hono';
import type { AssumptionId } from '../world/assumptions.ts';
import type { BodyText } from '../world/body-text.ts';
import type { DomainError } from '../world/errors.ts';
import type { Fault } from '../world/faults.ts';
import type { RawHeaders } from '../world/journal.ts';
import type { Instant } from '../world/time.ts';
import type { WorldCore } from '../world/world.ts';
import type { MerchantDirectory } from './directory.ts';
import type { Merchant } from './merchant.ts';
import type { Operation } from './operation.ts';

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
  /** `journal`: what its response rests on besides what every response of its operation does. */
  readonly noted: AssumptionId[];
  /** `authenticate`: undefined as long as nobody is known to call. */
  merchant: Merchant | undefined;
  /** `authenticate`: the key that was sent. It stays, though the merchant may get another one meanwhile. */
  key: string | null;
  /** `authenticate`: `req-1-42`, counted by the World. */
  requestId: string;
  /** `authenticate`: when the request came, by the World's clock. */
  startedAt: Instant;
  /** `journal`: when the request came in real time, by the stopwatch. */
  readonly since: number;
  /** `journal`: the headers as they came. */
  readonly headers: RawHeaders;
  /** `readBody` */
  body: RequestBody;
  /** `faults`: the fault that touches it. */
  fault: Fault | undefined;
  /** `parseJsonBody`, `parseQuery`: what was sent as it came, and without what counts as missing. */
  input:
    | { readonly raw: Readonly<Record<string, unknown>>; readonly stripped: unknown }
    | undefined;
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
