import { setTimeout as wait } from 'node:timers/promises';
import { Caller } from './http.ts';

/** Somebody else who calls while something large goes on. */
export interface Others {
  /** Resolves once they were answered that many times more. */
  answered(times: number): Promise<void>;
  /** The longest they waited for an answer since they were asked before, in milliseconds, and for how many. */
  waited(): { readonly longest: number; readonly calls: number };
  /** Ends them. Rejects if one of them was not served. */
  end(): Promise<void>;
}

/** How long they think between two calls. */
const PAUSE_MS = 5;

/** Asks for a quote, and whether the program lives, again and again. */
export function callMeanwhile(url: string, key: string): Others {
  const caller = new Caller(url);
  let isOver = false;
  let longest = 0;
  let calls = 0;
  let listeners: (() => void)[] = [];
  const ask = async () => {
    while (!isOver) {
      const since = performance.now();
      const reply = await (calls % 2 === 0
        ? caller.call('/livez')
        : caller.operate('getMotorQuote', key));
      if (reply.status !== 200)
        throw new Error(`Others are answered ${reply.status}: ${reply.text}`);
      longest = Math.max(longest, performance.now() - since);
      calls++;
      for (const listener of listeners) listener();
      await wait(PAUSE_MS);
    }
  };
  const asked = ask();
  asked.catch(() => undefined);
  return {
    answered: (times) =>
      new Promise((resolve, reject) => {
        let left = times;
        const listener = () => {
          if (--left > 0) return;
          listeners = listeners.filter((each) => each !== listener);
          resolve();
        };
        listeners.push(listener);
        asked.catch(reject);
      }),
    waited() {
      const waited = { longest, calls };
      [longest, calls] = [0, 0];
      return waited;
    },
    async end() {
      isOver = true;
      try {
        await asked;
      } finally {
        caller.close();
      }
    },
  };
}
