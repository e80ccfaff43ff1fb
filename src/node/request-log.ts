/* Writes the request log of a server, without delaying any response. */

import { createLogWriter, type Logged, type RefusedCall } from '../control/log-line.ts';
import type { Activity, ActivityFeed } from '../world/activity.ts';
import { createLineWriter, type LogOptions } from './output.ts';

/** A log of the requests to a sandbox. */
export interface RequestLog {
  /** Logs every request from now on. */
  watch(feed: ActivityFeed): void;
  add(call: RefusedCall): void;
  /** Resolves when all lines are written, or when nobody reads them. */
  end(): Promise<void>;
}

/** Writes a log without delaying any response. */
export function createRequestLog({ mode, output, colours }: LogOptions): RequestLog {
  let stopWatching: (() => void) | undefined;
  const writer = createLineWriter<Logged>(output, {
    lineOf: createLogWriter(mode, { colours, columns: output.columns }),
    notShown: (count) =>
      mode === 'json'
        ? `${JSON.stringify({ not_shown: count })}\n`
        : `… ${count} calls not shown\n`,
    onClosed: () => stopWatching?.(),
  });
  return {
    watch({ listeners }) {
      const listen = (happened: Activity) => {
        const { kind } = happened;
        if (kind === 'entry' || kind === 'control' || kind === 'page') writer.add(happened);
      };
      listeners.add(listen);
      stopWatching = () => void listeners.delete(listen);
    },
    add: writer.add,
    end: writer.end,
  };
}
