/* What agents can read without calling a tool: address, guide, document, assumptions. */

import { printable } from '../../world/printable.ts';
import { createCaller, type McpHost, readDocument } from './host.ts';

/** A resource, and how to read it. */
export interface Resource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  read(host: McpHost): string | Promise<string>;
}

export const RESOURCES: readonly Resource[] = [
  {
    name: 'address',
    title: 'Address and key',
    description: 'The base URL of this sandbox, and the API key that tools act on.',
    mimeType: 'application/json',
    read: ({ url, key = null }) => printable(JSON.stringify({ url, key })),
  },
  {
    name: 'llms.txt',
    title: 'How to use the API',
    description: 'Purchases with requests to copy, refusals, clock and faults, in 8 kB.',
    mimeType: 'text/plain',
    read: (host) => readDocument(host, '/llms.txt', 'text/plain'),
  },
  {
    name: 'openapi.json',
    title: 'OpenAPI document',
    description: 'Every operation and schema of the merchant API, as OpenAPI 3.1.',
    mimeType: 'application/json',
    read: (host) => readDocument(host, '/openapi.json', 'application/json'),
  },
  {
    name: 'assumptions',
    title: 'Assumptions',
    description: 'What the sandbox does where the specification is silent, by id.',
    mimeType: 'text/plain',
    async read(host) {
      const route = 'GET /_sandbox/assumptions';
      const { data } = await createCaller(host).overWorld(undefined, route);
      return data
        .map(({ id, question, decision }) => printable(`${id}: ${question} ${decision}`))
        .join('\n');
    },
  },
];
