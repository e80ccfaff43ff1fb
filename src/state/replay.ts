import { makeAgain } from '../control/changes.ts';
import { MAX_SNAPSHOT_DEPTH } from '../control/large-body.ts';
import type { CallLine, LogLine } from '../core/change-log.ts';
import { inTurns } from '../core/clock.ts';
import { createJsonReader, type JsonReader } from '../core/json-reader.ts';
import type { OpenSandbox } from '../open-sandbox.ts';

/** Does the lines of a log again, one after the other. */
export interface Replayer {
  /** Throws an `Error` that says why the line can't be right. */
  apply(line: LogLine): Promise<void>;
}

/** Nothing waits for real time: that of the sandbox stands at the moment of each line. */
export function createReplayer({ store, repeat }: OpenSandbox): Replayer {
  const documents = new Map<number, JsonReader>();

  const repeatCall = ({ request, ...line }: CallLine): Promise<void> => {
    if (!store.byId.has(line.merchant)) throw new Error(`there is no merchant ${line.merchant}`);
    const { came, method, url, headers, body } = request;
    const again = new Request(url, {
      method,
      headers: new Headers(pairsOf(headers)),
      body: method === 'GET' || method === 'HEAD' ? null : body,
    });
    return repeat(again, headers, { ...line, came });
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
        const reader = documents.get(line.part) ?? createJsonReader(MAX_SNAPSHOT_DEPTH);
        documents.set(line.part, reader);
        reader.push(line.text);
        return;
      }
      store.time.latest = line.at;
      if ('call' in line) return repeatCall(line);
      const document = line.parts === undefined ? undefined : documentOf(line.parts);
      return inTurns(makeAgain(store, line, document));
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
