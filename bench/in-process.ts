/* What a request costs without a socket, alone and while a thousand others wait. */

import { createSandbox } from '../src/index.ts';
import { createBareHono } from './bare-hono.ts';
import { type Call, callOf, PATHS, PURCHASE, QUOTE, requestOf, type Samples } from './calls.ts';
import { type Effort, type Figure, quantile, ratioOf, runCooperatively } from './measure.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

/** Measures requests without a socket. Creating the request and reading the response is included. */
export async function measureInProcess(
  { samples, policyNo }: { samples: Samples; policyNo: string },
  effort: Effort,
): Promise<Figure[]> {
  const { rounds, warmUps, quick } = effort;
  const bare: Fetch = (request) => hono.fetch(request);
  const hono = createBareHono(samples);
  const figures: Figure[] = [];
  const calls = {
    quote: once(callOf(PATHS.quote, QUOTE)),
    'list page': once(callOf(PATHS.list)),
    'look-up': once(callOf(`${PATHS.lookUp}/${policyNo}`)),
    'initiate + verify': purchase,
  };
  const targets: Readonly<Record<string, number>> = { quote: 1.3, 'initiate + verify': 1.6 };
  for (const [name, call] of Object.entries(calls)) {
    const { fetch } = createSandbox();
    const times = quick ? 200 : 4000;
    const contenders = {
      ours: () => microseconds(fetch, call, times),
      bare: () => microseconds(bare, call, times),
    };
    await runCooperatively(warmUps, contenders);
    const { ours, bare: theirs } = await runCooperatively(rounds * 2, contenders);
    figures.push({
      section: 'in-process',
      name: `in-process fetch of ${name} ÷ bare Hono`,
      ...ratioOf(ours, theirs),
      detail: `${quantile(ours, 0).toFixed(1)} µs, bare ${quantile(theirs, 0).toFixed(1)} µs`,
      ...(targets[name] && { target: { atMost: targets[name] } }),
    });
  }
  figures.push(await measureWaiting(effort));
  return figures;
}

/** The number of waiting `journal/await` requests, and of journal entries. */
const MANY = 1000;

/** Measures a merchant's request while `journal/await` requests are waiting. */
async function measureWaiting({ rounds, warmUps, quick }: Effort): Promise<Figure> {
  const times = quick ? 100 : 1000;
  const waitedFor = async (waiters: number) => {
    const sandbox = createSandbox();
    const merchant = sandbox.createMerchant();
    const quote = once(callOf(PATHS.quote, QUOTE, merchant.apiKey));
    for (let made = 0; made < MANY; made++) await quote(sandbox.fetch);
    const wanted = { operation: 'verifyMotorPolicy', status: 200, timeout: 'PT24H' } as const;
    const waiting = Array.from({ length: waiters }, () => merchant.journal.await(wanted));
    return {
      measure: () => microseconds(sandbox.fetch, quote, times),
      end: () => {
        merchant.remove();
        return Promise.allSettled(waiting);
      },
    };
  };
  const [many, none] = [await waitedFor(MANY), await waitedFor(0)];
  const contenders = { many: many.measure, none: none.measure };
  await runCooperatively(warmUps, contenders);
  const taken = await runCooperatively(rounds * 2, contenders);
  await many.end();
  return {
    section: 'in-process',
    name: 'quote with 1,000 waiting calls and 1,000 entries ÷ without',
    ...ratioOf(taken.many, taken.none),
    detail: `${quantile(taken.many, 0).toFixed(1)} µs, with none ${quantile(taken.none, 0).toFixed(1)} µs`,
    target: { atMost: 5 },
  };
}

const once = (call: Call) => async (fetch: Fetch) => {
  await (await fetch(requestOf(call))).text();
};

async function purchase(fetch: Fetch): Promise<void> {
  const initiated = await fetch(requestOf(callOf(PATHS.initiate, PURCHASE)));
  const { data } = (await initiated.json()) as { data: { token: string } };
  const verified = await fetch(requestOf(callOf(PATHS.verify, { token: data.token })));
  await verified.text();
}

/** The mean microseconds per request. */
async function microseconds(
  fetch: Fetch,
  call: (fetch: Fetch) => Promise<void>,
  times: number,
): Promise<number> {
  const start = performance.now();
  for (let done = 0; done < times; done++) await call(fetch);
  return ((performance.now() - start) * 1000) / times;
}
