/*
 * A merchant that survives being killed. Its table of orders is a file, written before each call that buys, and it reads it
 * when it starts again. Each run of chaos has a file of its own.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { again, groupLife, microHealth, motor } from './merchant.mjs';
import { complete, renewOnce } from './orders.mjs';

const { SANDBOX_RUN = 'alone', SANDBOX_URL = '' } = process.env;
const file = join(tmpdir(), `steadfast-${SANDBOX_RUN}-${SANDBOX_URL.replace(/\D/g, '')}.json`);
const orders = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [{}, {}, {}];
const table = { orders, save: () => writeFileSync(file, JSON.stringify(orders)) };

for (const [place, family] of [microHealth, motor, groupLife].entries()) {
  const order = orders[place];
  if (family.quote) await again(family.quote);
  await complete(order, family, table);
  await again(() => family.show(order.number));
  if (family.renew) await renewOnce(order, family, table);
}

// Everything is bought.
rmSync(file, { force: true });
