/* What a call carries on its way: the sandbox, the connection, and what each step sets. */

import type { HonoRequest } from 'hono';
import type { RowChange } from '../types/public.ts';
import type { AssumptionId } from '../world/assumptions.ts';
import type { Problem } from '../world/errors.ts';
import type { Fault, FaultClaim } from '../world/faults.ts';
import type { CallPoint } from '../world/history.ts';
import type { RawHeaders, StoredEntry } from '../world/journal.ts';
import type { MerchantOf } from '../world/merchant.ts';
import type { Merchants } from '../world/merchants.ts';
import type { Instant } from '../world/time.ts';
import type { WorldCore } from '../world/world.ts';
import type { Operation } from './operation.ts';
import type { ReadBytes, RequestBody } from './request.ts';

/** What is still sent of a response before its connection ends. */
export interface CutResponse {
  /** How much of the body is sent. `nothing`: only the headers, and only if the client would otherwise try again. */
  readonly sent: 'half' | 'nothing';
  readonly parts: ResponseParts;
}

/** A connection that ends without a complete response, because of a fault or because the client went away. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  /** Without a response, nothing is sent. */
  readonly cut: CutResponse | undefined;

  /** @param options the cause, if the request could not be read; a fault has none */
  constructor(reason: string, cut?: CutResponse, options?: ErrorOptions) {
    super(reason, options);
    this.cut = cut;
  }

  /** The body of a request failed before its end. */
  static whileReading(cause: unknown): ConnectionLost {
    return new ConnectionLost('The body of the request could not be read', undefined, { cause });
  }
}

/** Makes a response of a text, or one without a body. */
export type CreateResponse = (text: string | null, init: ResponseInit) => Response;

/** What a server knows of a request besides the request itself. */
export interface Connection {
  /** Alternating header names and values, as received. */
  readonly rawHeaders?: readonly string[];
  /** The address of the client. */
  readonly remoteAddress?: string | undefined;
  /** Host and port of a request target that is a whole URL; other requests only have `Host`. */
  readonly authority?: string | undefined;
  /** Aborts when the server closes; everything that waits then ends. */
  readonly closing?: AbortSignal;
  /** Closes the connection of a client that does not read. */
  readonly abort?: () => void;
  /** Lets the connection serve no other request after this one. */
  readonly endAfterResponse?: () => void;
  /** Reads the body in place of the request. Rejects if the client goes away before the end. */
  readonly readBytes?: ReadBytes;
  /** Makes responses. Default: the platform's. */
  readonly createResponse?: CreateResponse;
  /** The fault that acts on the call, in place of the fault rules. */
  readonly fault?: Fault;
  /** Called with the entry of the call once it is written. */
  readonly onRecorded?: (entry: StoredEntry) => void;
  /** Throws an error at the caller in this process, instead of returning a response. */
  readonly throwAtCaller?: (error: Error) => void;
}

/** A response that can still be changed, and that the journal keeps. */
export interface ResponseParts {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Null if the status allows none. */
  readonly body: string | null;
}

/** What the merchant API needs of a sandbox. Every request brings it. */
export interface SandboxBindings {
  readonly merchants: Merchants;
  readonly connection: Connection;
  /** Base of page URLs without a trailing slash; taken from the request if undefined. */
  readonly publicUrl: string | undefined;
  /** The allowed CORS origins, or only `*`. */
  readonly cors: readonly string[];
}

/** A running call. The middleware or the function named at each field sets it. */
export interface ReceivedCall {
  /** Of the route that matched. Undefined if no operation has the path. */
  readonly operation: Operation | undefined;
  readonly req: HonoRequest;
  readonly env: SandboxBindings;
  /** When the request arrived, in real time. */
  readonly since: number;
  /** The headers as received. */
  readonly headers: RawHeaders | Headers;
  /** `authenticate`: undefined until the key is known to be valid. */
  merchant: MerchantOf<WorldCore> | undefined;
  /** `authenticate`: a call keeps the World it started with. */
  world: WorldCore | undefined;
  /** `authenticate`: the key that was sent, even if the merchant's key is rotated in the meantime. */
  key: string | null;
  /** `authenticate`: `req-1-42`, counted by the World. */
  requestId: string;
  /** `authenticate`: when the request arrived, by the World's clock. */
  startedAt: Instant;
  /** `authenticate`: the moment of its World at which it arrived; undefined without one. */
  arrived: CallPoint | undefined;
  /** The only time that rules see. It is read again after every wait: for the body, or for a fault. */
  now: Instant;
  /** `authenticate`: the fault that the program around the sandbox wants for it. */
  wantedFault: Fault | undefined;
  /** `readBody` */
  body: RequestBody;
  /** `serveUnderFaults`: the fault that acts on it. */
  fault: Fault | undefined;
  /** `serveUnderFaults`: what it takes from the fault rules, until that is stored. */
  claim: FaultClaim | undefined;
  /** `serveUnderFaults`: the duration that a fault lets pass before it, until that is stored. */
  passes: string | undefined;
  /** What the caller probably meant, for `Sandbox-Hint`. Undefined if nothing seems wrong. */
  hint: string | undefined;
  /** `respond`: the assumptions behind the response. */
  assumptions: readonly AssumptionId[];
  /** `respond`: why the service refused; empty for a success, and for a response that a fault made. */
  problems: readonly Problem[];
  /** `transactCall`: what it changed. */
  changes: readonly RowChange[];
  /** `respond`: the response for the journal; undefined if there is none. */
  response: ResponseParts | undefined;
  /** `record`: whether its entry is written, or will never be. */
  recorded: boolean;
}

/** A call with a valid key. */
export interface MerchantCall extends ReceivedCall {
  merchant: MerchantOf<WorldCore>;
  world: WorldCore;
}

/** The environment of the merchant API. */
export interface MerchantEnv {
  Bindings: SandboxBindings;
  Variables: {
    /** `journal`; pages have none. */
    call: ReceivedCall;
  };
}
