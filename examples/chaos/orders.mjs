/* Completes orders and renewals once, whatever is lost on the way. */
import { again, Refused } from './merchant.mjs';

/** How far the clocks of merchant and service may differ. */
const SKEW_MS = 60_000;

/**
 * Buys what was ordered, unless it was bought already. An order is a row of the table of orders, in which `number`, the
 * policy's, is unique. `save` writes the table.
 */
export async function complete(order, { initiate, verify, find }, { orders, save = () => {} }) {
  const claim = (number) => {
    if (orders.some((other) => other.number === number)) return false;
    order.number = number;
    save();
    return true;
  };
  while (!order.number) {
    if (!order.token) {
      // Nothing is bought yet, so this may be sent again. The policy is not older.
      const since = Date.now() - SKEW_MS;
      Object.assign(order, await again(initiate), { since });
      save();
    }
    try {
      // A token buys once, however often it is sent.
      if (claim(await again(() => verify(order.token)))) break;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.message === 'Token has expired') {
        // Nothing was bought, and nothing will be with this token.
        order.token = undefined;
        continue;
      }
      if (error.message !== 'Token has already been used') throw error;
    }
    // The policy exists, and its response was lost. Or an equal order, whose response was lost, took it: then that order's
    // policy is left.
    for await (const number of find(order)) if (claim(number)) break;
    if (!order.number) throw new Error('The policy exists, but the list does not have it yet.');
  }
  return order.number;
}

/** Renews a policy, unless the renewal was paid already. Only the number of periods tells. */
export async function renewOnce(order, { show, renew }, { save = () => {} }) {
  const periods = async () => (await again(() => show(order.number))).subscriptions_no;
  order.periods ??= await periods();
  save();
  await again(async () => {
    if ((await periods()) === order.periods) await renew(order.number);
  });
}
