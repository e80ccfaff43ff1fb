import { Agent, request } from 'node:http';
import { type Call, callOf, PATHS, QUOTE, type Samples } from './calls.ts';
import { start } from './commands.ts';
import { startServer } from './loopback.ts';
import { type Effort, type Figure, quantile, runCooperatively, short } from './measure.ts';
import { fromRoot } from './start-up.ts';

const PROGRAM = fromRoot('bin/micro-insurance-sandbox.cjs');

/** Requests per turn, one after the other on one connection. */
const CALLS = 200;

/** Measures the time that the proxy adds, with direct and proxied requests in turn. */
export async function measureProxy(
  samples: Samples,
  { rounds, warmUps, quick }: Effort,
): Promise<Figure[]> {
  const sandbox = await startServer('./servers/sandbox.mjs', samples);
  const proxy = await start({
    command: (port) => [PROGRAM, 'proxy', '--target', sandbox.url, '--port', `${port}`],
    call: callOf(PATHS.quote, QUOTE),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const calls: Readonly<Record<string, Call>> = {
    quote: callOf(PATHS.quote, QUOTE),
    'list page': callOf(PATHS.list),
  };
  try {
    const figures: Figure[] = [];
    for (const [name, call] of Object.entries(calls)) {
      const turn = (port: number) => async () => {
        const taken: number[] = [];
        for (let n = 0; n < (quick ? CALLS / 10 : CALLS); n++)
          taken.push(await timed(call, port, agent));
        return quantile(taken, 0.5);
      };
      const ports = { direct: Number(new URL(sandbox.url).port), proxied: proxy.port };
      const contenders = { direct: turn(ports.direct), proxied: turn(ports.proxied) };
      await runCooperatively(warmUps, contenders);
      const { direct, proxied } = await runCooperatively(rounds, contenders);
      const added = proxied.map((each, round) => each - (direct[round] as number));
      figures.push({
        section: 'proxy',
        name: `${name}: time that the proxy adds`,
        value: quantile(added, 0.5),
        spread: [quantile(added, 0.25), quantile(added, 0.75)],
        unit: 'ms',
        detail: `${short(quantile(proxied, 0.5))} ms, direct ${short(quantile(direct, 0.5))} ms`,
        target: { atMost: 5 },
      });
    }
    return figures;
  } finally {
    agent.destroy();
    await proxy.stop();
    sandbox.child.disconnect();
  }
}

/** Milliseconds from sending a request to the end of its response. */
function timed({ method, path, headers, body }: Call, port: number, agent: Agent): Promise<number> {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const began = performance.now();
    request({ port, host: '127.0.0.1', agent, method, path, headers: { ...headers, ...length } })
      .on('response', (response) => {
        response.resume().on('end', () => resolve(performance.now() - began));
      })
      .on('error', reject)
      .end(body);
  });
}
