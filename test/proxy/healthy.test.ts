import { describe, expect, test } from 'vitest';
import { lists, operations, requestOf } from '../support/client.ts';
import { playScript } from '../support/script.ts';
import { checkThrough, proxiedSandbox, type TestProxy } from './support.ts';

const KEY = 'sk_sandbox_demo';

/** What differed, or was not judged though the contract has its path. */
const remarkable = (proxy: TestProxy) =>
  proxy.remarkable().filter(({ operation }) => operation !== null);

describe('a healthy sandbox behind the proxy', () => {
  test('shows no difference to a whole check: every operation, every refusal, clocks that move', async () => {
    const { proxy, sandbox } = await proxiedSandbox();
    await checkThrough(proxy, sandbox);
    expect(remarkable(proxy)).toEqual([]);
    const asked = new Set(proxy.told.map(({ operation }) => operation));
    expect(operations.filter(({ operationId }) => !asked.has(operationId))).toEqual([]);
    expect(proxy.judge.report().profile).toEqual({ version: 1, decisions: {} });
  });

  test('shows none to a program that does all there is to do', async () => {
    const { proxy } = await proxiedSandbox({ seed: 1 });
    await playScript((request) => fetch(throughProxy(request, proxy)), KEY, 300, 1);
    const [first] = remarkable(proxy).filter(({ not_judged }) => not_judged === null);
    expect(first).toBeUndefined();
  });

  test('shows none in any demo record', async () => {
    const { proxy, sandbox } = await proxiedSandbox();
    const call = (operation: (typeof operations)[number], input: unknown) =>
      fetch(requestOf(operation, proxy.url, KEY, input)).then((answer) => answer.json());
    const found: string[] = [];
    for (const list of lists) {
      for (let page = 1; ; page++) {
        const { data } = await call(list, list.request.query ? { page } : {});
        const items = Array.isArray(data) ? data : data.data;
        found.push(
          ...items.map((item: Record<string, string>) => item.policy_no ?? item.policy_number),
        );
        if (Array.isArray(data) || data.next_page_url === null) break;
      }
    }
    const lookUps = operations.filter(
      ({ errors, readOnly }) => readOnly && errors.includes('policy_unknown'),
    );
    for (const operation of lookUps) {
      for (const number of found) {
        await call(operation, { policy_no: number, policy_number: number });
      }
    }
    expect(found.length).toBeGreaterThan(20);
    expect(remarkable(proxy)).toEqual([]);
    expect(sandbox.url).not.toBe(proxy.url);
  });
});

/** A request to the sandbox in process, as one to the proxy; without the faults that would make it ill. */
function throughProxy(request: Request, { url }: TestProxy): Request {
  const { pathname, search } = new URL(request.url);
  if (pathname === '/_sandbox/faults') return new Request(`${url}/livez`);
  const healthy = new Request(url + pathname + search, request);
  healthy.headers.delete('sandbox-fault');
  return healthy;
}
