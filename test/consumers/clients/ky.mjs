import ky, { HTTPError } from 'ky';
import { baseUrl, headers, sandbox, tryClient } from './merchant.mjs';

const api = ky.create({ prefixUrl: baseUrl, headers, retry: 0, fetch: sandbox.fetch });

await tryClient(
  (path, json) => api.post(path, { json }).json(),
  (error) => error instanceof HTTPError && error.response.status === 400,
);
