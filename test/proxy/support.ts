import { afterEach } from 'vitest';
import { createJudge, type ProxyEntry, type ProxyJudge } from '../../src/check/proxy/index.ts';
import { type ProxyServer, startProxy } from '../../src/node/proxy-server.ts';
import type { SandboxServer } from '../../src/node/serve.ts';
import { serveSandbox } from '../check/command.ts';

export { fake, serveSandbox } from '../check/command.ts';

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
