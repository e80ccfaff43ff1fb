/** What `is-network-error` checks, which decides for p-retry and others whether a call is worth another attempt. */
export function isNetworkError(error: unknown): boolean {
  if (Object.prototype.toString.call(error) !== '[object Error]') return false;
  const { name, message } = error as Error;
  return name === 'TypeError' && ['fetch failed', 'terminated'].includes(message);
}
