import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Command } from '../node/command.ts';
import { CERTIFICATE, PRIVATE_KEY } from './certificate.ts';
import { proxyTo } from './support.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A service over TLS, by its address. */
async function secure(): Promise<string> {
  const server = createServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (request, response) => {
    response.end(`${request.headers.host} ${request.url}`);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

test('a service over TLS is asked as any other', async () => {
  const target = await secure();
  const trusted = join(mkdtempSync(join(tmpdir(), 'proxy-')), 'certificate.pem');
  writeFileSync(trusted, CERTIFICATE);
  const args = ['proxy', '--target', `${target}/v1`, '--port', '0'];
  const proxy = new Command(args, { NODE_EXTRA_CA_CERTS: trusted });
  const url = /proxy at (\S+)/.exec(await proxy.started())?.[1];
  const answer = await fetch(`${url}/a?b`);
  expect(await answer.text()).toBe(`${new URL(target).host} /v1/a?b`);
  expect((await proxy.stop()).code).toBe(0);
});

test('a certificate that is not trusted is 502', async () => {
  const proxy = await proxyTo(await secure());
  const answer = await fetch(`${proxy.url}/a`);
  expect(answer.status).toBe(502);
  expect((await answer.json()).detail).toContain('has a certificate that is not trusted');
});
