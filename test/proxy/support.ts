import { afterEach } from 'vitest';
import { check } from '../../src/contract/check.ts';
import type { Fetch } from '../../src/contract/client.ts';
import { createJudge, type ProxyEntry, type ProxyJudge } from '../../src/contract/proxy/index.ts';
import type { SandboxServer } from '../../src/node/index.ts';
import { type ProxyServer, startProxy } from '../../src/node/proxy/server.ts';
import { systemNow, wait } from '../../src/world/clock.ts';
import { serveSandbox } from '../check/command.ts';

export { fake, serveSandbox } from '../check/command.ts';

/** The key of the demo merchant. */
export const DEMO_KEY = 'sk_sandbox_demo';

const proxies: ProxyServer[] = [];

afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
});

/** A proxy over a socket, until the test is over. */
export interface TestProxy {
  readonly url: string;
  readonly port: number;
  readonly judge: ProxyJudge;
  /** What it told, oldest first. */
  readonly told: ProxyEntry[];
  /** What it told that differed or was not judged. */
  remarkable(): ProxyEntry[];
}

export async function proxyTo(
  target: string,
  options: { profile?: unknown; hold?: { maxBytes: number; maxMs: number } } = {},
): Promise<TestProxy> {
  const told: ProxyEntry[] = [];
  const { profile, hold } = options;
  const judge = createJudge({ target, profile });
  const proxy = await startProxy({
    target,
    port: 0,
    host: '127.0.0.1',
    judge,
    ...(hold && { hold }),
    told: (entry) => told.push(entry),
  });
  proxies.push(proxy);
  const { url, port } = proxy;
  return {
    url,
    port,
    judge,
    told,
    remarkable: () =>
      told.filter(({ differences, not_judged }) => differences.length > 0 || not_judged !== null),
  };
}

/** A sandbox and a proxy before it. */
export async function proxiedSandbox(
  options: Parameters<typeof serveSandbox>[0] = {},
  proxyOptions: Parameters<typeof proxyTo>[1] = {},
): Promise<{ sandbox: SandboxServer; proxy: TestProxy }> {
  const sandbox = await serveSandbox(options);
  return { sandbox, proxy: await proxyTo(sandbox.url, proxyOptions) };
}

/** A check of a sandbox whose calls go through a proxy; its control plane is asked directly. */
export async function checkThrough(
  { url }: TestProxy,
  sandbox: SandboxServer,
  wishes: { readonly profile?: unknown; readonly families?: readonly string[] | undefined } = {},
): Promise<void> {
  const viaProxy: Fetch = (request) => {
    const { pathname, search } = new URL(request.url);
    const base = pathname.startsWith('/_sandbox') ? sandbox.url : url;
    return fetch(new Request(base + pathname + search, request));
  };
  const options = { url: sandbox.url, key: DEMO_KEY, ...wishes };
  await check(options, viaProxy, { now: systemNow, wait });
}
