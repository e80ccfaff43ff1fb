/*
 * The code under test: a shop that sells micro-health cover, once for each order, whatever is lost on the way. In a project
 * of yours this is your own code, and knows nothing of the sandbox.
 */

/** The service answered no. The problems are sentences for the customer. */
class Refused extends Error {
  constructor(problems) {
    super(problems.join(' '));
    this.problems = problems;
  }
}

/** There is no response to read. Nobody knows whether the call was carried out. */
class Lost extends Error {}

/** How far the clocks of shop and service may differ. */
const SKEW_MS = 60_000;
const DAY_MS = 86_400_000;

/** @param {{ baseUrl: string, apiKey: string, fetch?: typeof globalThis.fetch, now?: () => Date, timeout?: number }} service */
function createShop({
  baseUrl,
  apiKey,
  fetch = globalThis.fetch,
  now = () => new Date(),
  timeout = 10_000,
}) {
  /** The table of orders: what is bought, its token and when it was asked for, and the unique number of the policy. */
  const orders = [];

  async function send(path, body) {
    let status;
    let answer;
    try {
      const response = await fetch(`${baseUrl}/api/merchant/micro_health/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(timeout),
        ...(body && { body: JSON.stringify(body) }),
      });
      status = response.status;
      answer = await response.json();
    } catch (cause) {
      // The connection broke, the time is over, or half a response or a gateway's page came.
      throw new Lost(`No response from ${path}.`, { cause });
    }
    if (status >= 500) throw new Lost(`${path} returned ${status}.`);
    if (!answer.success) throw new Refused(answer.data.error);
    return answer.data;
  }

  /** Sends a call that does no harm if it is carried out twice. */
  const call = (path, body) =>
    send(path, body).catch((error) => {
      if (error instanceof Lost) return send(path, body);
      throw error;
    });

  /** Asks for a token. Nothing is bought yet. */
  const reserve = async (purchase) => (await call('initiate', purchase)).token;

  /** Buys. A token buys once, however often it is sent. */
  const pay = async (token) => (await call('verify', { token })).policy_no;

  /** The policies sold since a day, from every page of the list. */
  async function* policies(day) {
    for (let page = 1, last = 1; page <= last; page++) {
      const path = `all_subscriptions?start_date=${day}&page=${page}`;
      const list = await call(path);
      yield* list.data;
      last = list.last_page;
    }
  }

  /** Gives a policy to an order, unless another order has it. */
  function claim(order, policyNo) {
    if (orders.some((other) => other.policyNo === policyNo)) return false;
    order.policyNo = policyNo;
    return true;
  }

  /** Finds the policy of an order by what was bought, by whom and when. */
  async function find(order) {
    const since = order.since.getTime() - SKEW_MS;
    // From the day before, because the service may count days in another time zone.
    const day = new Date(since - DAY_MS).toISOString().slice(0, 10);
    for await (const sold of policies(day)) {
      const isNew = Date.parse(sold.subscriptions.created_at) >= since;
      if (isNew && isSame(order.purchase, sold) && claim(order, sold.policy_no)) {
        return sold.policy_no;
      }
    }
    throw new Lost('The policy exists, but the list does not have it yet.');
  }

  /** Completes an order. Throws `Lost` if nobody knows how it ended; complete it again later. */
  async function complete(order) {
    if (order.policyNo) return order.policyNo;
    if (!order.token) {
      order.since = now();
      order.token = await reserve(order.purchase);
    }
    try {
      const policyNo = await pay(order.token);
      if (claim(order, policyNo)) return policyNo;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.message === 'Token has expired') {
        // Nothing was bought, and nothing will be with this token.
        order.token = undefined;
        return complete(order);
      }
      if (error.message !== 'Token has already been used') throw error;
    }
    // The policy exists, and its response was lost. Or an equal order, whose response was lost, took it: then that order's
    // policy is left.
    return find(order);
  }

  /** Takes an order. */
  function order(purchase) {
    const taken = { purchase, since: now() };
    orders.push(taken);
    return taken;
  }

  return { order, complete, sell: (purchase) => complete(order(purchase)), reserve, pay };
}

/** Whether a policy is what was ordered. Two that are can stand for each other. */
function isSame(purchase, sold) {
  const { subscriptions, beneficiary, transactions } = sold;
  const ordered = [
    purchase.first_beneficiary_full_name,
    purchase.second_beneficiary_full_name,
    purchase.third_beneficiary_full_name,
  ];
  return (
    sold.email === purchase.email &&
    sold.phone_no === purchase.phone_no &&
    sold.first_name === purchase.first_name &&
    sold.surname === purchase.surname &&
    beneficiary.map((person) => person.full_name).join() === ordered.filter(Boolean).join() &&
    subscriptions.product_id === Number(purchase.product_id) &&
    subscriptions.subscriptions_type === purchase.subscription_type &&
    Number(transactions[0]?.amount) === Number(purchase.amount)
  );
}

module.exports = { createShop, Lost, Refused };
