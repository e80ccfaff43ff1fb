/* For programs that use the global fetch, the sandbox replaces it. */
import { FetchError, ofetch } from 'ofetch';
import { baseUrl, headers, sandbox, tryClient } from './merchant.mjs';

globalThis.fetch = sandbox.fetch;

// ofetch looks up the global for every request.
await tryClient(
  (path, body) => ofetch(`${baseUrl}/${path}`, { method: 'POST', headers, body }),
  (error) => error instanceof FetchError && error.status === 400,
);
