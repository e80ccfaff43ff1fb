/* A merchant that does everything again when something fails. It buys twice when a response is lost. */
import { again, groupLife, microHealth, motor } from './merchant.mjs';

const buy = async ({ initiate, verify }) => verify(await initiate());

for (const family of [microHealth, motor, groupLife]) {
  if (family.quote) await again(family.quote);
  const policy = await again(() => buy(family));
  await again(() => family.show(policy));
  if (family.renew) await again(() => family.renew(policy));
}
