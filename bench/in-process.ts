import { createSandbox } from '../src/index.ts';
import { createBareHono } from './bare-hono.ts';
import { type Call, callOf, PATHS, PURCHASE, QUOTE, requestOf, type Samples } from './calls.ts';
import { type Effort, type Figure, inTurns, quantile, ratioOf } from './measure.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

/** Calls without a socket, request and answer made and read in both cases. */
export async function measureInProcess(
  { samples, policyNo }: { samples: Samples; policyNo: string },
  { rounds, quick }: Effort,
): Promise<Figure[]> {
  const bare: Fetch = (request) => hono.fetch(request);
  const hono = createBareHono(samples);
  const figures: Figure[] = [];
  const calls = {
    quote: once(callOf(PATHS.quote, QUOTE)),
    'list page': once(callOf(PATHS.list)),
    'look-up': once(callOf(`${PATHS.lookUp}/${policyNo}`)),
    'initiate + verify': purchase,
  };
  for (const [name, call] of Object.entries(calls)) {
    const { fetch } = createSandbox();
    const times = quick ? 1000 : 4000;
    const contenders = {
      ours: () => microseconds(fetch, call, times),
      bare: () => microseconds(bare, call, times),
    };
    await inTurns(2, contenders);
    const { ours, bare: theirs } = await inTurns(rounds * 2, contenders);
    figures.push({
      section: 'in-process',
      name: `in-process fetch of ${name} ÷ bare Hono`,
      ...ratioOf(ours, theirs),
      detail: `${quantile(ours, 0).toFixed(1)} µs, bare ${quantile(theirs, 0).toFixed(1)} µs`,
      ...(name === 'quote' && { target: { atMost: 2 } }),
    });
  }
  return figures;
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

/** Microseconds a call, on average. */
async function microseconds(
  fetch: Fetch,
  call: (fetch: Fetch) => Promise<void>,
  times: number,
): Promise<number> {
  const start = performance.now();
  for (let done = 0; done < times; done++) await call(fetch);
  return ((performance.now() - start) * 1000) / times;
}
