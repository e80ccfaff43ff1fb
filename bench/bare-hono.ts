import { Hono } from 'hono';
import { PATHS, type Sample, type Samples } from './calls.ts';

/** What Hono alone takes for the same bytes, written as its users would, without validation. */
export function createBareHono(samples: Samples): Hono {
  const pending = new Map<string, unknown>();
  const policies = new Map<string, unknown>([
    [samples.lookUp.value.data.policy_no, samples.lookUp.value],
  ]);
  const app = new Hono();
  app.post(PATHS.quote, async (c) => {
    await c.req.json();
    return answer(samples.quote, samples.quote.value);
  });
  app.get(PATHS.list, () => answer(samples.list, samples.list.value));
  app.get(`${PATHS.lookUp}/:policy_no`, (c) =>
    answer(samples.lookUp, policies.get(c.req.param('policy_no'))),
  );
  app.post(PATHS.initiate, async (c) => {
    const token = crypto.randomUUID().replaceAll('-', '').padEnd(40, '0');
    pending.set(token, await c.req.json());
    return answer(samples.initiate, { ...samples.initiate.value, data: { token } });
  });
  app.post(PATHS.verify, async (c) => {
    const { token } = await c.req.json();
    if (!pending.delete(token)) return new Response(null, { status: 400 });
    return answer(samples.verify, samples.verify.value);
  });
  return app;
}

const answer = ({ headers }: Sample, value: unknown): Response =>
  new Response(JSON.stringify(value), { headers: headers as Record<string, string> });
