/*
 * The code under test: a shop that sells micro-health cover. In a project of yours this is your own code, and knows
 * nothing of the sandbox.
 */

interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch?: typeof globalThis.fetch;
}

export interface Customer {
  readonly email: string;
}

type Answer<Data> =
  | { readonly success: true; readonly data: Data }
  | { readonly success: false; readonly data: { readonly error: readonly string[] } };

/** The fields of a policy that the shop reads. */
export interface Policy {
  readonly policy_no: string;
}

export function createShop({ baseUrl, apiKey, fetch = globalThis.fetch }: Service) {
  async function call<Data>(path: string, body?: object): Promise<Data> {
    const response = await fetch(`${baseUrl}/api/merchant/micro_health/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer<Data>;
    if (!answer.success) throw new Error(answer.data.error.join(' '));
    return answer.data;
  }
  const reserve = async (customer: Customer): Promise<string> =>
    (await call<{ token: string }>('initiate', customer)).token;
  const pay = (token: string): Promise<Policy> => call('verify', { token });
  const newest = async (): Promise<(Policy & Customer) | undefined> =>
    (await call<{ data: (Policy & Customer)[] }>('all_subscriptions?period=day')).data.at(-1);

  return {
    reserve,
    pay,
    /** Sells one policy, also when the answer that says so is lost: looks before it tries again. */
    async sell(customer: Customer): Promise<Policy> {
      const token = await reserve(customer);
      try {
        return await pay(token);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        const sold = await newest();
        return sold?.email === customer.email ? sold : pay(token);
      }
    },
  };
}
