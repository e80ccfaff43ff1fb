/* A merchant that does everything again when something fails. It buys twice when a response is lost. */
import { groupLife, microHealth, motor } from './merchant.mjs';

const buy = async ({ initiate, verify }) => verify((await initiate()).token);

/** Tries three times, whatever happened. */
async function again(work) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

for (const family of [microHealth, motor, groupLife]) {
  if (family.quote) await again(family.quote);
  const number = await again(() => buy(family));
  await again(() => family.show(number));
  if (family.renew) await again(() => family.renew(number));
}
