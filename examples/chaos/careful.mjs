/* A merchant that looks before it buys again. It survives every failure but being killed. */
import { again, groupLife, microHealth, motor } from './merchant.mjs';

/** A purchase that was initiated may have been completed although the response was lost. */
async function buyOnce({ initiate, verify, find }) {
  let initiated;
  return again(async () => {
    const bought = initiated && (await find(initiated));
    if (bought) return bought;
    initiated = await initiate();
    return verify(initiated);
  });
}

/** A renewal moves the end of the policy. */
async function renewOnce({ find, renew }, policy) {
  const endOf = async () => (await find(policy)).subscriptions.end_date;
  const before = await again(endOf);
  await again(async () => {
    if ((await endOf()) === before) await renew(policy);
  });
}

for (const family of [microHealth, motor, groupLife]) {
  if (family.quote) await again(family.quote);
  const policy = await buyOnce(family);
  await again(() => family.show(policy));
  if (family.renew) await renewOnce(family, policy);
}
