import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SandboxServer, startSandbox } from '../../src/tools/start-sandbox.ts';
import { anyCharacter } from '../support/characters.ts';
import { createClient, operations } from '../support/client.ts';
import { runsOf } from '../support/depth.ts';
import { acceptedInput } from '../support/requests.ts';

/* Whatever a request contains, every header of its response can be sent and read. */

const RUNS = runsOf({ sample: 8, ci: 40, all: 2_000 });

const BLANKS = ['\u3000', '\u2028', '\u00a0', '\ufeff', '\u1680', ' ', '\n', '\u0000'];

/** Names of fields that programs do not send, with some that no header can hold. */
const anyName = fc.oneof(
  fc.constantFrom(...BLANKS, '', '__proto__', '\ud800', '🙂'.repeat(100)),
  fc.constantFrom(...BLANKS).map((blank) => blank.repeat(60_000)),
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme', minLength: 60, maxLength: 200 }),
);
const anyNames = fc.uniqueArray(anyName, { minLength: 1, maxLength: 8 });

/** A text that a URL can hold. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '?');

let server: SandboxServer;
beforeAll(async () => {
  server = await startSandbox({ port: 0, autoMerchants: true });
});
afterAll(() => server.close());

/** Sends a request to a new World in this process and to one over a socket. */
async function sendBoth(path: string, init: RequestInit): Promise<Response[]> {
  const { sandbox, merchant } = createClient();
  const overSocket = { ...init, headers: { ...init.headers, authorization: 'Bearer a-socket' } };
  const headers = { ...init.headers, authorization: `Bearer ${merchant.apiKey}` };
  return [
    await sandbox.fetch(path, { ...init, headers }),
    await fetch(server.url + path, overSocket),
  ];
}

function expectSendable({ status, headers }: Response): void {
  expect(status).toBeLessThan(500);
  expect(headers.get('sandbox-request-id')).toMatch(/^req-/);
  for (const [name, value] of headers) expect(`${name}: ${value}`).toMatch(/^[\x20-\x7e]*$/);
  expect(headers.get('sandbox-hint')?.length ?? 0).toBeLessThanOrEqual(500);
}

describe.each(operations)('$operationId', ({ operationId, method, path }) => {
  const isRead = method === 'get';

  test('names unknown fields in a header that can be sent, whatever their names are', async () => {
    await fc.assert(
      fc.asyncProperty(anyNames, async (names) => {
        // URLs hold no surrogates, and servers limit their length.
        const unknown = names.map((name) => [isRead ? wellFormed(name.slice(0, 20)) : name, '1']);
        const sent: RequestInit = { method: method.toUpperCase() };
        let target = path.replace(/:\w+/, '1');
        if (isRead) target += `?${new URLSearchParams(unknown as [string, string][])}`;
        else {
          const input = await acceptedInput(createClient(), operationId);
          sent.headers = { 'content-type': 'application/json' };
          sent.body = JSON.stringify({ ...(input as object), ...Object.fromEntries(unknown) });
        }
        for (const response of await sendBoth(target, sent)) expectSendable(response);
      }),
      RUNS,
    );
  });
});

test('an unknown path gets headers that can be sent, whatever it contains', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: anyCharacter }), async (text) => {
      const { pathname } = Object.assign(new URL('http://sandbox'), {
        pathname: `/api/merchant/${wellFormed(text)}`,
      });
      for (const response of await sendBoth(pathname, {})) expectSendable(response);
    }),
    RUNS,
  );
});
