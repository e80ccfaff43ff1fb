/*
 * A merchant that sends the same token again, and takes the policy that it bought. It survives every failure but being
 * killed. `careful.mjs 2` sells everything twice at once to one customer.
 */
import { again, groupLife, microHealth, motor } from './merchant.mjs';
import { complete, renewOnce } from './orders.mjs';

const copies = Number(process.argv[2] ?? 1);
const orders = [];

async function serve(family) {
  const order = {};
  orders.push(order);
  if (family.quote) await again(family.quote);
  await complete(order, family, { orders });
  await again(() => family.show(order.number));
  if (family.renew) await renewOnce(order, family, {});
  return order.number;
}

for (const family of [microHealth, motor, groupLife]) {
  const numbers = await Promise.all(Array.from({ length: copies }, () => serve(family)));
  console.log(numbers.join(' '));
}
