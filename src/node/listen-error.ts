/** The port or the address can't be had. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}
