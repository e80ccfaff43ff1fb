import { randomBytes } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { PATHS, type Sample, type Samples } from './calls.ts';

/** Hono alone with the same bytes, written in the usual way, without validation. */
export function createBareHono(samples: Samples): Hono {
  const pending = new Map<string, unknown>();
  const policies = new Map<string, unknown>([
    [samples.lookUp.value.data.policy_no, samples.lookUp.value],
  ]);
  const app = new Hono();
  app.post(PATHS.quote, async (c) => {
    await c.req.json();
    return answer(c, samples.quote, samples.quote.value);
  });
  app.get(PATHS.list, (c) => answer(c, samples.list, samples.list.value));
  app.get(`${PATHS.lookUp}/:policy_no`, (c) =>
    answer(c, samples.lookUp, policies.get(c.req.param('policy_no'))),
  );
  app.post(PATHS.initiate, async (c) => {
    const token = randomBytes(20).toString('hex');
    pending.set(token, await c.req.json());
    return answer(c, samples.initiate, { ...samples.initiate.value, data: { token } });
  });
  app.post(PATHS.verify, async (c) => {
    const { token } = await c.req.json();
    const details = pending.get(token);
    if (!pending.delete(token)) return c.body(null, 400);
    const policy = { ...samples.verify.value.data, policy_no: String(policies.size) };
    policies.set(policy.policy_no, { ...policy, details });
    return answer(c, samples.verify, { ...samples.verify.value, data: policy });
  });
  return app;
}

const answer = (c: Context, { headers }: Sample, value: unknown): Response =>
  c.json(value, 200, headers);
