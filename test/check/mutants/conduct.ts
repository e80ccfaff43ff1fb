import type { Operation } from '../../../src/api/operation.ts';
import type { Fetch } from '../../../src/contract/client.ts';
import { type Mutant, plain } from './mutant.ts';

/** Requests that are understood as others. */
export function ofConduct(operation: Operation, family: string): Mutant[] {
  const { operationId, method } = operation;
  const pattern = new RegExp(`${operation.path.replace(/:\w+/g, '[^/]+')}$`);
  const hearing = (
    name: string,
    paths: string[],
    hear: (request: Request) => Request | Promise<Request>,
  ): Mutant => ({
    name: `${operationId}: ${name}`,
    family,
    operation: operationId,
    paths,
    serve: (changed) => {
      const fetch = plain();
      changed();
      return async (request) =>
        fetch(pattern.test(new URL(request.url).pathname) ? await hear(request) : request);
    },
  });
  const withHeader = (name: string, value: string) => (request: Request) => {
    const headers = new Headers(request.headers);
    headers.set(name, value);
    return new Request(request, { headers });
  };
  const replays = new Map<string, Promise<Response>>();
  return [
    hearing(
      'asks for no key',
      ['$.success', 'status'],
      withHeader('authorization', 'Bearer sk_sandbox_demo'),
    ),
    ...(method === 'post'
      ? [
          hearing(
            'takes any type of body',
            ['$.success', 'status'],
            withHeader('content-type', 'application/json'),
          ),
        ]
      : []),
    ...(/^verify/.test(operationId)
      ? [
          {
            name: `${operationId}: answers a second verify as the first`,
            family,
            operation: operationId,
            paths: ['$.success'],
            serve: (changed: () => void): Fetch => {
              const fetch = plain();
              changed();
              replays.clear();
              return async (request) => {
                if (!pattern.test(new URL(request.url).pathname)) return fetch(request);
                const sent = await request.clone().text();
                const before = replays.get(sent);
                if (before) return (await before).clone();
                const answer = fetch(request);
                if ((await answer).status === 200) replays.set(sent, answer);
                return (await answer).clone();
              };
            },
          },
        ]
      : []),
  ];
}
