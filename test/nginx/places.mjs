/* A key stays with its World: round by round, when a sandbox dies, and when one more comes. */
import assert from 'node:assert/strict';
import {
  ask,
  assertProblem,
  call,
  forEach,
  initiate,
  keysOf,
  LIST,
  listBytes,
  verify,
} from './client.mjs';
import { configurationFor, freePort, startNginx, startSandbox, startStuck } from './processes.mjs';

const KEYS = Array.from({ length: 200 }, (_, number) => `sk_team_${number}`);
const ROUNDS = 5;
/** Of 200 keys a third is 67; the places of consistent hashing are not quite even. */
const LEAST_SHARE = 25;

/** Checks where keys go through nginx at `url`, with these sandboxes behind it and this folder for what they keep. */
export async function checkPlaces(check, { url, sandboxes, folder }) {
  /** The port of the sandbox that has the World of a key. */
  const homes = new Map();
  const keysAt = ({ port }) => KEYS.filter((key) => homes.get(key) === port);

  await check(`${KEYS.length} keys stay where they are for ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forEach(KEYS, (key) => ask(url, LIST, { key }));
    }
    const held = await Promise.all(sandboxes.map(keysOf));
    const ours = held.map((keys) => keys.filter((key) => KEYS.includes(key)));
    assert.deepEqual(ours.flat().sort(), KEYS.toSorted(), 'each key is in one sandbox');
    for (const [index, keys] of ours.entries()) {
      assert.ok(keys.length >= LEAST_SHARE, `one has ${keys.length} keys`);
      for (const key of keys) homes.set(key, sandboxes[index].port);
    }
    return ours.map(({ length }) => length).join(' + ');
  });
  await check('the answer says which sandbox it comes from', async () => {
    for (const key of KEYS.slice(0, 20)) {
      const { headers } = await call(url, LIST, { key });
      assert.equal(headers.get('sandbox-upstream'), `127.0.0.1:${homes.get(key)}`);
    }
  });
  await check('a killed sandbox has lost nothing, and nobody took its keys meanwhile', async () => {
    const [dead, ...others] = sandboxes;
    const theirs = keysAt(dead).slice(0, 30);
    const pending = await forEach(theirs, async (key) => {
      await verify(url, key, await initiate(url, key));
      return initiate(url, key);
    });
    const before = await forEach(theirs, (key) => listBytes(url, key));
    await dead.end('SIGKILL');

    for (let round = 0; round < 3; round++) {
      await forEach(keysAt(dead), async (key) => {
        await assertProblem(await call(url, LIST, { key }), 502, 504);
      });
      await forEach(others.flatMap(keysAt), (key) => ask(url, LIST, { key }));
    }
    for (const other of others) {
      const taken = (await keysOf(other)).filter((key) => homes.get(key) === dead.port);
      assert.deepEqual(taken, []);
    }

    const begun = performance.now();
    sandboxes[0] = await startSandbox(folder, dead.port);
    const spent = performance.now() - begun;
    assert.deepEqual(await forEach(theirs, (key) => listBytes(url, key)), before);
    await forEach(theirs, (key) => verify(url, key, pending[theirs.indexOf(key)]));
    await forEach(KEYS, (key) => ask(url, LIST, { key }));
    const held = await Promise.all(sandboxes.map(keysOf));
    for (const [index, keys] of held.entries()) {
      const here = keys.filter((key) => homes.has(key)).sort();
      assert.deepEqual(here, keysAt(sandboxes[index]).sort());
    }
    return `${keysAt(dead).length} keys, started again in ${(spent / 1000).toFixed(1)} s`;
  });
  await check(
    'a fourth takes its share, no other key moves, and a World is brought after',
    async () => {
      const fourth = await startSandbox(folder, await freePort());
      const port = await freePort();
      const configuration = configurationFor(port, [...sandboxes, fourth]);
      const nginx = await startNginx(`${folder}/four`, port, configuration);
      const was = await forEach(KEYS, (key) => listBytes(url, key));
      const places = await forEach(KEYS, async (key) => {
        const { headers } = await call(nginx.url, LIST, { key });
        return Number(headers.get('sandbox-upstream').split(':')[1]);
      });
      const moved = KEYS.filter((key, index) => places[index] !== homes.get(key));
      assert.ok(moved.length >= LEAST_SHARE / 2 && moved.length <= 90, `${moved.length} moved`);
      assert.deepEqual((await keysOf(fourth)).sort(), moved.toSorted());
      for (const key of moved) {
        // As the README says: out of the sandbox that had it, and in by the new address.
        const home = sandboxes.find((sandbox) => sandbox.port === homes.get(key));
        const world = await ask(home.url, '/_sandbox/snapshot', { key });
        await ask(nginx.url, '/_sandbox/snapshot', { key, method: 'PUT', body: world });
      }
      const now = await forEach(KEYS, (key) => listBytes(nginx.url, key));
      const renamed = was.map((text) => text.replaceAll(url, nginx.url));
      assert.deepEqual(now, renamed);
      return `${moved.length} of ${KEYS.length} keys moved`;
    },
  );
  await check('a sandbox that takes no connection is 504 soon', async () => {
    const stuck = await startStuck();
    const port = await freePort();
    const nginx = await startNginx(`${folder}/stuck`, port, configurationFor(port, [stuck]));
    const begun = performance.now();
    await assertProblem(await call(nginx.url, LIST, { key: KEYS[0] }), 504);
    const spent = performance.now() - begun;
    assert.ok(spent < 10_000, `it took ${spent} ms`);
  });
}
