import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PATHS, type Sample } from '../calls.ts';
import { type Start, serveParent } from './child.ts';

/** The minimum with node:http for the same bytes: parse JSON, look up, write JSON. */
serveParent(async ({ samples }: Start) => {
  const pending = new Map<string, unknown>();
  const policies = new Map<string, unknown>([
    [samples.lookUp.value.data.policy_no, samples.lookUp.value],
  ]);

  const server = createServer((request, response) => {
    const path = request.url as string;
    switch (path) {
      case PATHS.quote:
        return read(request, () => write(response, samples.quote, samples.quote.value));
      case PATHS.list:
        return write(response, samples.list, samples.list.value);
      case PATHS.initiate:
        return read(request, (body) => {
          const token = randomBytes(20).toString('hex');
          pending.set(token, body);
          write(response, samples.initiate, { ...samples.initiate.value, data: { token } });
        });
      case PATHS.verify:
        return read(request, (body) => {
          const { token } = body as { token: string };
          const details = pending.get(token);
          if (!pending.delete(token)) return response.writeHead(400).end();
          const policy = { ...samples.verify.value.data, policy_no: String(policies.size) };
          policies.set(policy.policy_no, { ...policy, details });
          write(response, samples.verify, { ...samples.verify.value, data: policy });
        });
      default:
        write(response, samples.lookUp, policies.get(path.slice(path.lastIndexOf('/') + 1)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
});

function read(request: IncomingMessage, then: (body: unknown) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => then(JSON.parse(Buffer.concat(chunks).toString())));
}

function write(response: ServerResponse, { headers }: Sample, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text);
}
