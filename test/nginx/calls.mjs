/* What has to go through nginx as if it were not there, and what has not. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { ask, assertProblem, call, initiate, LIST, verify } from './client.mjs';
import { ADMIN } from './processes.mjs';

const QUOTE = '/api/merchant/micro_health/get_quote';
const MIB = 1024 * 1024;

/** Checks the calls through nginx at `url`, with these sandboxes behind it. */
export async function checkCalls(check, { url, sandboxes }) {
  await check('a key is one key however the header writes it', async () => {
    const key = 'sk_written';
    const token = await initiate(url, key);
    const policy = await verify(url, key, token);
    for (const written of [
      `bearer ${key}`,
      `BEARER   ${key}`,
      ` Bearer ${key}  `,
      `\tBearer ${key}\t`,
    ]) {
      const list = await rawJson(url + LIST, { authorization: written });
      assert.equal(list.data.data[0]?.policy_no, policy, JSON.stringify(written));
    }
  });
  await check('lists name the address that was asked in their page URLs', async () => {
    const key = 'sk_pages';
    for (let time = 0; time < 2; time++) await verify(url, key, await initiate(url, key));
    const { data: first } = await ask(url, `${LIST}?per_page=1`, { key });
    assert.equal(new URL(first.next_page_url).origin, url);
    assert.equal(first.path, url + LIST);
    const { data: second } = await ask('', first.next_page_url, { key });
    assert.equal(second.from, 2);
    const host = 'sandboxes.example:8080';
    const named = await rawJson(url + LIST, { host, authorization: `Bearer ${key}` });
    assert.equal(named.data.path, `http://${host}${LIST}`);
  });
  await check('its clock moves, and a purchase lapses', async () => {
    const key = 'sk_clock';
    const token = await initiate(url, key);
    const { effects } = await ask(url, '/_sandbox/clock/advance', { key, body: { by: 'PT15M' } });
    assert.deepEqual(
      effects.map((effect) => [effect.kind, effect.token]),
      [['purchase_expired', token]],
    );
    const late = await call(url, '/api/merchant/micro_health/verify', { key, body: { token } });
    assert.equal(late.status, 400);
  });
  await check('every call over a whole sandbox is refused, and works at the sandbox', async () => {
    const { paths } = await ask(url, '/_sandbox/openapi.json');
    const calls = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, { tags }]) => tags?.includes('Sandbox'))
        .map(([method]) => ({ method: method.toUpperCase(), path })),
    );
    assert.ok(calls.length >= 7, 'the document names them');
    const [sandbox] = sandboxes;
    for (const { method, path } of calls) {
      const { id } = await ask(sandbox.url, '/_sandbox/merchants', { key: ADMIN, body: {} });
      const asked = path.replace('{id}', id);
      for (const key of [ADMIN, 'sk_world', undefined]) {
        await assertProblem(await call(url, asked, { key, method }), 403);
      }
      const direct = await call(sandbox.url, asked, { key: ADMIN, method });
      assert.ok(direct.ok, `${method} ${asked}: ${direct.status}`);
      await direct.body?.cancel();
      // Where it has not removed itself.
      await call(sandbox.url, `/_sandbox/merchants/${id}`, { key: ADMIN, method: 'DELETE' });
    }
    await assertProblem(await call(url, '/_sandbox/%6Derchants', { key: ADMIN }), 403);
    assert.equal((await call(sandbox.url, '/_sandbox/merchants')).status, 401);
    return `${calls.length} of them`;
  });
  await check('calls over one World go through', async () => {
    const key = 'sk_world';
    for (const path of ['clock', 'snapshot', 'faults', 'journal', 'purchases', 'assumptions']) {
      await ask(url, `/_sandbox/${path}`, { key });
    }
    const awaited = ask(url, '/_sandbox/journal/await', {
      key,
      body: { count: 1, timeout: 'PT1M' },
    });
    await ask(url, LIST, { key });
    assert.equal((await awaited).data.length, 1);
  });
  await check('pages, their files, documents and health need no key', async () => {
    for (const page of ['/', '/_sandbox', '/docs', '/docs/control']) {
      const text = await (await call(url, page)).text();
      const files = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="(\/[^"]+)"/g)];
      assert.ok(files.length >= 2, `${page} has its script and its style`);
      // Each file from each sandbox.
      for (const [, file] of files.concat(files, files)) {
        assert.equal((await call(url, file)).status, 200, file);
      }
    }
    for (const path of ['/livez', '/readyz', '/openapi.json', '/openapi-3.0.json']) {
      await ask(url, path);
    }
    assert.equal((await call(url, LIST)).status, 401);
  });

  const withFault = (key, fault, more) =>
    call(url, LIST, { key, headers: { 'sandbox-fault': fault }, ...more });
  await check('a delay takes its time', async () => {
    const begun = performance.now();
    assert.equal((await withFault('sk_faults', 'before; delay; ms=300')).status, 200);
    assert.ok(performance.now() - begun >= 300);
  });
  await check('a refusal by a fault comes as it was made, of status 502 too', async () => {
    const response = await withFault('sk_faults', 'before; respond; status=502');
    assert.equal(response.status, 502);
    assert.doesNotMatch(await response.text(), /No other has the World/);
  });
  await check('a dropped answer is 502, and what is cut off arrives cut off', async () => {
    await assertProblem(await withFault('sk_faults', 'after; drop'), 502);
    const cut = await withFault('sk_faults', 'after; truncate');
    assert.equal(cut.status, 200);
    await assert.rejects(cut.text());
  });
  await check('a hang ends in the sandbox too once the client gives up', async () => {
    const key = 'sk_hang';
    const awaited = ask(url, '/_sandbox/journal/await', {
      key,
      body: { count: 1, timeout: 'PT1M' },
    });
    await assert.rejects(withFault(key, 'before; hang', { signal: AbortSignal.timeout(200) }));
    const { data } = await awaited;
    assert.equal(data[0].fault.effect.kind, 'hang');
  });
  await check('a snapshot of some megabytes goes through both ways', async () => {
    const [from, to] = ['sk_large', 'sk_copy'];
    await ask(url, '/_sandbox/clock', { key: from, method: 'PUT', body: { mode: 'frozen' } });
    const note = 'x'.repeat(0.9 * MIB);
    // What a call sent and was answered is in the journal, and the journal in the snapshot.
    const body = { product_id: 1, no_of_users: 2, subscription_type: 'monthly', note };
    for (let time = 0; time < 5; time++) {
      await ask(url, QUOTE, { key: from, body });
    }
    const whole = await (await call(url, '/_sandbox/snapshot', { key: from })).text();
    assert.ok(whole.length > 4 * MIB, `it has ${whole.length} bytes`);
    const put = { key: to, method: 'PUT', body: whole };
    assert.equal((await call(url, '/_sandbox/snapshot', put)).status, 200);
    const copy = await (await call(url, '/_sandbox/snapshot', { key: to })).text();
    assert.ok(copy === whole, 'the copy is the same to the byte');
    return `${(whole.length / MIB).toFixed(1)} MB`;
  });
  await check(
    'what is too large for a call is refused by the sandbox, in its own words',
    async () => {
      const body = { note: 'x'.repeat(3 * MIB) };
      const response = await call(url, QUOTE, { key: 'sk_faults', body });
      assert.equal(response.status, 413);
      assert.match(await response.text(), /larger than 1 MiB/);
    },
  );
}

/** Asks with headers as they are: the platform's fetch makes its own Host, and trims. */
async function rawJson(url, headers) {
  const [response] = await once(get(url, { headers }), 'response');
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return JSON.parse(text);
}
