import type { ResponseParts } from './context.ts';

/** A connection that ends without a whole response: a fault wanted it so, or the client went away. */
export class ConnectionLost extends TypeError {
  override readonly name = 'ConnectionLost';
  /** The response of which half the body still leaves; nothing leaves without one. */
  readonly truncated: ResponseParts | undefined;

  constructor(truncated?: ResponseParts) {
    super('The connection was lost (fault)');
    this.truncated = truncated;
  }
}
