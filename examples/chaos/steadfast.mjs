/*
 * A merchant that survives being killed. It notes each purchase in a file before it completes it, and looks there when
 * it starts again. Each run of chaos has a file of its own.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { again, groupLife, microHealth, motor } from './merchant.mjs';

const { SANDBOX_RUN = 'alone', SANDBOX_URL = '' } = process.env;
const file = join(tmpdir(), `steadfast-${SANDBOX_RUN}-${SANDBOX_URL.replace(/\D/g, '')}.json`);
const notes = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const note = (name, value) => {
  notes[name] = value;
  writeFileSync(file, JSON.stringify(notes));
};

/** A purchase that is in the notes may have been completed. */
async function buyOnce(name, { initiate, verify, find }) {
  return again(async () => {
    const bought = notes[name] && (await find(notes[name]));
    if (bought) return bought;
    note(name, await initiate());
    return verify(notes[name]);
  });
}

/** A renewal moves the end of the policy. The end before it is in the notes. */
async function renewOnce(name, { find, renew }, policy) {
  const endOf = async () => (await find(policy)).subscriptions.end_date;
  if (!notes[name]) note(name, await again(endOf));
  await again(async () => {
    if ((await endOf()) === notes[name]) await renew(policy);
  });
}

for (const [name, family] of Object.entries({ microHealth, motor, groupLife })) {
  if (family.quote) await again(family.quote);
  const policy = await buyOnce(name, family);
  await again(() => family.show(policy));
  if (family.renew) await renewOnce(`${name} renewal`, family, policy);
}

// Everything is bought.
rmSync(file, { force: true });
