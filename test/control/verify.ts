import { type Client, operationOf, requestOf } from '../support/client.ts';

/** Sends a verify and answers what a client sees of it. */
export const sendVerify = (
  client: Client,
  input: unknown,
  init: RequestInit & { fault?: string } = {},
) => {
  const { fault, ...rest } = init;
  const headers = fault === undefined ? {} : { 'sandbox-fault': fault };
  const request = requestOf(
    operationOf('verifyMotorPolicy'),
    'http://sandbox',
    client.merchant.apiKey,
    input,
    { headers },
  );
  return client.sandbox.fetch(new Request(request, rest));
};
