import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { getSecret, setSecret } from '../../src/ui/inspector/client/api.ts';
import { setContract } from '../../src/ui/inspector/client/contract.ts';
import { enter, readMerchants } from '../../src/ui/inspector/client/merchants.ts';
import { getState, setState } from '../../src/ui/inspector/client/store.ts';
import { createContract } from '../../src/ui/inspector/contract.ts';

/* Who has access, when responses come in another order than the requests. */

beforeAll(() => {
  const { store } = openSandbox({}, {}, {});
  const history = { replaceState: () => {} };
  Object.assign(globalThis, { location: { search: '' }, history });
  setContract(createContract(store, '2026-01-31'));
});

// The page has one state, which other files share.
afterEach(() => {
  setSecret(undefined);
  setState({ gate: { kind: 'loading' }, merchants: [] });
});

const merchantOf = (api_key: string) => Response.json({ id: 7, name: 'Shop', api_key });
const refused = (status: number) => Response.json({ detail: 'No.' }, { status });

/** Lets the page send requests. Each gets its response when the test has one for it. */
function holdRequests() {
  const waiting: ((response: Response) => void)[] = [];
  const fetch = () => new Promise<Response>((respond) => void waiting.push(respond));
  vi.stubGlobal('fetch', fetch);
  onTestFinished(() => void vi.unstubAllGlobals());
  return waiting;
}

test('a list of merchants that is refused late closes no World that was opened meanwhile', async () => {
  const [requests, listing, opening] = [holdRequests(), readMerchants(), enter('sk_shop')];
  requests[1]?.(refused(403));
  await vi.waitFor(() => expect(requests).toHaveLength(3));
  requests[2]?.(merchantOf('sk_shop'));
  await opening;
  requests[0]?.(refused(403));
  await listing;
  expect(getState().gate).toEqual({ kind: 'open', to: 'world' });
});

test('a key that is refused late does not take the place of a later one', async () => {
  const requests = holdRequests();
  const [first, second] = [enter('sk_old'), enter('sk_new')];
  requests[1]?.(refused(401));
  await vi.waitFor(() => expect(requests).toHaveLength(3));
  requests[2]?.(merchantOf('sk_new'));
  await second;
  requests[0]?.(refused(401));
  await vi.waitFor(() => expect(requests).toHaveLength(4));
  requests[3]?.(refused(401));
  await first;
  expect(getSecret()).toBe('sk_new');
  expect(getState()).toMatchObject({
    gate: { kind: 'open', to: 'world' },
    merchants: [{ api_key: 'sk_new' }],
  });
});
