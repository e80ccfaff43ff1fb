import type { Activity, ActivityFeed } from '../api/activity.ts';
import { systemNow } from '../world/clock.ts';
import { jsonLine, type LoggedCall, type RefusedCall, textLine } from './log-lines.ts';
import { createLineWriter, type LogOptions } from './output.ts';

/** A log of the calls a sandbox answers. */
export interface RequestLog {
  /** Logs what happens from now on. */
  watch(feed: ActivityFeed): void;
  add(call: RefusedCall): void;
  /** Resolves when everything is written that somebody reads. */
  end(): Promise<void>;
}

/** A log that is written to an output. Nobody waits for it. */
export function createRequestLog({ mode, output, colours }: LogOptions): RequestLog {
  const bodies = mode === 'bodies';
  let stopWatching: (() => void) | undefined;
  const writer = createLineWriter<LoggedCall>(output, {
    lineOf:
      mode === 'json'
        ? (call) => jsonLine(call, systemNow())
        : (call) => textLine(call, systemNow(), { colours, bodies, columns: output.columns }),
    notShown: (count) =>
      mode === 'json'
        ? `${JSON.stringify({ not_shown: count })}\n`
        : `… ${count} calls not shown\n`,
    onClosed: () => stopWatching?.(),
  });
  return {
    watch({ listeners }) {
      const listen = (happened: Activity) => {
        if (happened.kind === 'entry' || happened.kind === 'control') writer.add(happened);
      };
      listeners.add(listen);
      stopWatching = () => void listeners.delete(listen);
    },
    add: writer.add,
    end: writer.end,
  };
}
