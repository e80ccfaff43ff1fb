import { makeAgain } from '../control/changes.ts';
import { MAX_SNAPSHOT_DEPTH } from '../control/large-body.ts';
import type { CallLine, ChangeLine, LogLine, Replay } from '../core/change-log.ts';
import { inTurns } from '../core/clock.ts';
import { createJsonReader, type JsonReader } from '../core/json-reader.ts';
import type { OpenSandbox } from '../open-sandbox.ts';

/** A call whose fault is used up, and which waits for what else was done until its rule ran. */
interface WaitingCall {
  goOn(isAwaited: boolean): void;
  readonly done: Promise<void>;
}

/** Does the lines of a log again, one after the other. */
export interface Replayer {
  /** Throws an `Error` that says why the line can't be right. */
  apply(line: LogLine): Promise<void>;
  /** Ends the calls that were under way when the log ended. */
  end(): Promise<void>;
}

/** Nothing waits for real time: the time of the sandbox stands still at the moment of each line. */
export function createReplayer({ store, repeat }: OpenSandbox): Replayer {
  const waiting = new Map<string, WaitingCall>();
  const documents = new Map<number, JsonReader>();

  const applyCall = async (line: CallLine): Promise<void> => {
    if (!store.byId.has(line.merchant)) throw new Error(`there is no merchant ${line.merchant}`);
    const key = `${line.merchant}-${line.call}`;
    if (line.request) {
      const call = begin(line, line.request);
      if (await call.isWaiting) waiting.set(key, call);
      return;
    }
    const call = waiting.get(key);
    if (!call) throw new Error(`the call req-${key} has no line before`);
    waiting.delete(key);
    call.goOn(!line.lost);
    await call.done;
  };

  /** Makes a call, up to where it waits if its fault has a line of its own. */
  const begin = (
    { merchant, call, fault, lost }: CallLine,
    { came, method, url, headers, body }: NonNullable<CallLine['request']>,
  ) => {
    const rule = withResolvers<boolean>();
    const reached = withResolvers<boolean>();
    const replay: Replay = {
      merchant,
      call,
      came,
      isAwaited() {
        if (!fault) return !lost;
        reached.resolve(true);
        return rule.promise;
      },
    };
    const request = new Request(url, {
      method,
      headers: new Headers(pairsOf(headers)),
      body: method === 'GET' || method === 'HEAD' ? null : body,
      // What a fault would wait for is over.
      signal: AbortSignal.abort(),
    });
    const done = repeat(request, headers, replay);
    void done.then(() => reached.resolve(false));
    return { done, goOn: rule.resolve, isWaiting: reached.promise };
  };

  const documentOf = (parts: number): unknown => {
    const reader = documents.get(parts);
    documents.delete(parts);
    if (!reader) throw new Error(`the document ${parts} is not in the log`);
    return reader.end();
  };

  return {
    async apply(line) {
      if ('part' in line) {
        const reader = documents.get(line.part) ?? createJsonReader(MAX_SNAPSHOT_DEPTH + 2);
        documents.set(line.part, reader);
        reader.push(line.text);
        return;
      }
      store.time.latest = line.at;
      if ('call' in line) return applyCall(line);
      const { parts } = line satisfies ChangeLine;
      const document = parts === undefined ? undefined : documentOf(parts);
      return inTurns(makeAgain(store, line, document));
    },
    async end() {
      for (const call of waiting.values()) {
        call.goOn(false);
        await call.done;
      }
    },
  };
}

function pairsOf(headers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let place = 0; place + 1 < headers.length; place += 2) {
    pairs.push([headers[place] as string, headers[place + 1] as string]);
  }
  return pairs;
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
