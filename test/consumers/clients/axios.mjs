import axios, { AxiosError } from 'axios';
import { baseUrl, headers, sandbox, tryClient } from './merchant.mjs';

const env = { fetch: sandbox.fetch, Request, Response };
const api = axios.create({ baseURL: baseUrl, headers, adapter: 'fetch', env });

await tryClient(
  async (path, body) => (await api.post(path, body)).data,
  (error) => error instanceof AxiosError && error.response.status === 400,
);
