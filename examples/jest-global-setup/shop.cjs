/*
 * The code under test: a shop that sells micro-health cover. In a project of yours this is your own code, and knows
 * nothing of the sandbox.
 */

/** @param {{ baseUrl: string, apiKey: string, fetch?: typeof globalThis.fetch }} service */
function createShop({ baseUrl, apiKey, fetch = globalThis.fetch }) {
  const call = async (path, body) => {
    const response = await fetch(
      new Request(`${baseUrl}/api/merchant/micro_health/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      }),
    );
    const answer = await response.json();
    if (!answer.success) throw new Error(answer.data.error.join(' '));
    return answer.data;
  };
  const reserve = async (customer) => (await call('initiate', customer)).token;
  const pay = (token) => call('verify', { token });
  const newest = async () => (await call('all_subscriptions?period=day')).data.at(-1);

  return {
    reserve,
    pay,
    newest,
    /** Sells one policy, also when the answer that says so is lost: looks before it tries again. */
    async sell(customer) {
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

module.exports = { createShop };
