/*
 * The code under test: a shop that sells micro-health cover, once for each order, whatever is lost on the way. In a project
 * of yours this is your own code, and knows nothing of the sandbox.
 */

interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch?: typeof globalThis.fetch;
  /** What time it is. */
  readonly now?: () => Date;
  /** How long to wait for a response, in milliseconds. */
  readonly timeout?: number;
}

/** What a customer buys. Initiate takes it as it is. */
export interface Purchase {
  readonly first_name: string;
  readonly surname: string;
  readonly email: string;
  readonly phone_no: string;
  readonly product_id: number | string;
  readonly subscription_type: string;
  readonly amount: number | string;
  readonly first_beneficiary_full_name?: string | null | undefined;
  readonly second_beneficiary_full_name?: string | null | undefined;
  readonly third_beneficiary_full_name?: string | null | undefined;
}

/** A row in the table of orders, where `policyNo` is unique. A shop of yours saves it before it sends the token. */
export interface Order {
  readonly purchase: Purchase;
  token?: string | undefined;
  /** When the token was asked for. The policy is not older. */
  since: Date;
  policyNo?: string;
}

/** What the shop reads of a policy in the list. */
interface Sold {
  readonly policy_no: string;
  readonly first_name: string;
  readonly surname: string;
  readonly email: string;
  readonly phone_no: string;
  readonly beneficiary: readonly { readonly full_name: string }[];
  readonly subscriptions: {
    readonly product_id: number;
    readonly subscriptions_type: string;
    readonly created_at: string;
  };
  readonly transactions: readonly { readonly amount: string }[];
}

type Answer<Data> =
  | { readonly success: true; readonly data: Data }
  | { readonly success: false; readonly data: { readonly error: readonly string[] } };

/** The service answered no. The problems are sentences for the customer. */
export class Refused extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join(' '));
  }
}

/** There is no response to read. Nobody knows whether the call was carried out. */
export class Lost extends Error {}

/** How far the clocks of shop and service may differ. */
const SKEW_MS = 60_000;
const DAY_MS = 86_400_000;

export function createShop({
  baseUrl,
  apiKey,
  fetch = globalThis.fetch,
  now = () => new Date(),
  timeout = 10_000,
}: Service) {
  const orders: Order[] = [];

  async function send<Data>(path: string, body?: object): Promise<Data> {
    let status: number;
    let answer: Answer<Data>;
    try {
      const response = await fetch(`${baseUrl}/api/merchant/micro_health/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(timeout),
        ...(body && { body: JSON.stringify(body) }),
      });
      status = response.status;
      answer = (await response.json()) as Answer<Data>;
    } catch (cause) {
      // The connection broke, the time is over, or half a response or a gateway's page came.
      throw new Lost(`No response from ${path}.`, { cause });
    }
    if (status >= 500) throw new Lost(`${path} returned ${status}.`);
    if (!answer.success) throw new Refused(answer.data.error);
    return answer.data;
  }

  /** Sends a call that does no harm if it is carried out twice. */
  const call = <Data>(path: string, body?: object): Promise<Data> =>
    send<Data>(path, body).catch((error) => {
      if (error instanceof Lost) return send<Data>(path, body);
      throw error;
    });

  /** Asks for a token. Nothing is bought yet. */
  const reserve = async (purchase: Purchase): Promise<string> =>
    (await call<{ token: string }>('initiate', purchase)).token;

  /** Buys. A token buys once, however often it is sent. */
  const pay = async (token: string): Promise<string> =>
    (await call<{ policy_no: string }>('verify', { token })).policy_no;

  /** The policies sold since a day, from every page of the list. */
  async function* policies(day: string): AsyncGenerator<Sold> {
    for (let page = 1, last = 1; page <= last; page++) {
      const path = `all_subscriptions?start_date=${day}&page=${page}`;
      const list = await call<{ data: readonly Sold[]; last_page: number }>(path);
      yield* list.data;
      last = list.last_page;
    }
  }

  /** Gives a policy to an order, unless another order has it. */
  function claim(order: Order, policyNo: string): boolean {
    if (orders.some((other) => other.policyNo === policyNo)) return false;
    order.policyNo = policyNo;
    return true;
  }

  /** Finds the policy of an order by what was bought, by whom and when. */
  async function find(order: Order): Promise<string> {
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
  async function complete(order: Order): Promise<string> {
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
  function order(purchase: Purchase): Order {
    const taken = { purchase, since: now() };
    orders.push(taken);
    return taken;
  }

  return { order, complete, sell: (purchase: Purchase) => complete(order(purchase)), reserve, pay };
}

/** Whether a policy is what was ordered. Two that are can stand for each other. */
function isSame(purchase: Purchase, sold: Sold): boolean {
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
