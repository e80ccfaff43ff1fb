import { createFetch, FetchError } from 'ofetch';
import { baseUrl, headers, sandbox, tryClient } from './merchant.mjs';

const api = createFetch({
  fetch: sandbox.fetch,
  defaults: { baseURL: baseUrl, headers, retry: 0 },
});

await tryClient(
  (path, body) => api(path, { method: 'POST', body }),
  (error) => error instanceof FetchError && error.status === 400,
);
