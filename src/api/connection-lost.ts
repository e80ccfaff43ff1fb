import type { ResponseParts } from './context.ts';

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
