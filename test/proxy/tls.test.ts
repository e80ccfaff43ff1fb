import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Command } from '../node/command.ts';
import { CERTIFICATE, PRIVATE_KEY } from './certificate.ts';
import { proxyTo } from './support.ts';

/** The address of a service over TLS, until the end of the test. */
async function secureService(): Promise<string> {
  const server = createServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (request, response) => {
    response.end(`${request.headers.host} ${request.url}`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

test('a service over TLS works like any other', async () => {
  const target = await secureService();
  const trusted = join(mkdtempSync(join(tmpdir(), 'proxy-')), 'certificate.pem');
  writeFileSync(trusted, CERTIFICATE);
  const args = ['proxy', '--target', `${target}/v1`, '--port', '0'];
  const proxy = new Command(args, { NODE_EXTRA_CA_CERTS: trusted });
  const url = /proxy at (\S+)/.exec(await proxy.started())?.[1];
  const answer = await fetch(`${url}/a?b`);
  expect(await answer.text()).toBe(`${new URL(target).host} /v1/a?b`);
  expect((await proxy.stop()).code).toBe(0);
});

test('an untrusted certificate is 502', async () => {
  const { url } = await proxyTo(await secureService());
  const answer = await fetch(`${url}/a`);
  expect(answer.status).toBe(502);
  expect((await answer.json()).detail).toContain('has an untrusted certificate');
});
