import { type Address, readAddress, writeAddress } from './address.ts';
import { getState, setState } from './store.ts';

/** Goes to another view, with a step in the browser's history; `replace` where going back should not lead here. */
export function go(change: Partial<Address>, how: 'push' | 'replace' = 'push'): void {
  const address = { ...getState().address, ...change };
  const query = writeAddress(address);
  if (query !== location.search) {
    if (how === 'push') history.pushState(null, '', query);
    else history.replaceState(null, '', query);
  }
  setState({ address });
}

/** Follows the browser back and forth. */
export function followHistory(changed: () => void): void {
  addEventListener('popstate', () => {
    const { address } = getState();
    const read = readAddress(location.search);
    setState({ address: { ...read, merchant: read.merchant ?? address.merchant } });
    changed();
  });
}
