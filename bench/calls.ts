import { createSandbox } from '../src/index.ts';
import { sampleRequests } from '../src/products/sample-requests.ts';

/*
 * The measured requests, with the sandbox's responses: the bare servers return the same bytes.
 */

export const DEMO_KEY = 'sk_sandbox_demo';
const BASE = '/api/merchant/micro_health';

export const PATHS = {
  quote: `${BASE}/get_quote`,
  initiate: `${BASE}/initiate`,
  verify: `${BASE}/verify`,
  list: `${BASE}/all_subscriptions`,
  lookUp: `${BASE}/validate_policy`,
} as const;

export const QUOTE = { no_of_users: 2, subscription_type: 'monthly', product_id: '1' };

export const PURCHASE = sampleRequests.initiateMicroHealthSubscription;

/** A client's request. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const callOf = (path: string, input?: unknown, key = DEMO_KEY): Call => ({
  method: input === undefined ? 'GET' : 'POST',
  path,
  headers: {
    authorization: `Bearer ${key}`,
    ...(input !== undefined && { 'content-type': 'application/json' }),
  },
  ...(input !== undefined && { body: JSON.stringify(input) }),
});

export const requestOf = ({ method, path, headers, body }: Call): Request =>
  new Request(`http://sandbox${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });

/** A response of the sandbox: its headers and the value of its JSON body. */
export interface Sample {
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON value
  readonly value: any;
}

export type Samples = Readonly<Record<keyof typeof PATHS, Sample>>;

/** One response to each request, and the policy number of the look-up. */
export async function takeSamples(): Promise<{ samples: Samples; policyNo: string }> {
  const sandbox = createSandbox();
  const take = async (call: Call): Promise<Sample> => {
    const response = await sandbox.fetch(requestOf(call));
    if (response.status !== 200) throw new Error(`${call.path}: ${await response.text()}`);
    return { headers: Object.fromEntries(response.headers), value: await response.json() };
  };
  const initiate = await take(callOf(PATHS.initiate, PURCHASE));
  const verify = await take(callOf(PATHS.verify, { token: initiate.value.data.token }));
  const list = await take(callOf(PATHS.list));
  const policyNo: string = list.value.data.data[0].policy_no;
  return {
    samples: {
      quote: await take(callOf(PATHS.quote, QUOTE)),
      initiate,
      verify,
      list,
      lookUp: await take(callOf(`${PATHS.lookUp}/${policyNo}`)),
    },
    policyNo,
  };
}
