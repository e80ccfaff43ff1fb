/* Where a program knows nothing but the platform's fetch, the sandbox takes its place. */
import { FetchError, ofetch } from 'ofetch';
import { baseUrl, headers, sandbox, tryClient } from './merchant.mjs';

globalThis.fetch = sandbox.fetch;

// ofetch looks the global up at every call.
await tryClient(
  (path, body) => ofetch(`${baseUrl}/${path}`, { method: 'POST', headers, body }),
  (error) => error instanceof FetchError && error.status === 400,
);
