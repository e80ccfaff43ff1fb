import type { MerchantStore } from '../control/merchant-store.ts';
import { stateOfSandbox } from '../control/sandbox-state.ts';
import { SNAPSHOT_VERSION } from '../control/world-restore.ts';
import { type ChangeLog, type LogLine, NotStoredError } from '../core/change-log.ts';
import { readTime } from '../core/clock.ts';
import { inChunks, jsonPieces, streamed } from '../core/json-pieces.ts';
import type { Identity, LogHeader, LogMark } from './lines.ts';
import type { StatePlace } from './place.ts';
import type { Standing } from './restore.ts';

/** A log of changes, and the document that they are folded into. */
export interface FoldingLog extends ChangeLog {
  /** Writes the document anew, as the sandbox is at this moment, and takes the lines before out of the log. */
  save(): Promise<void>;
  /** The same as soon as nothing stands against it; what keeps it from being written is warned of. */
  fold(): Promise<void>;
  /** The same for the last time: a document that is still being written down is not taken any more. */
  end(): Promise<void>;
}

export function createLog(
  store: MerchantStore,
  place: StatePlace,
  identity: Identity,
  standing: Standing,
  warn: (line: string) => void,
): FoldingLog {
  const { id } = standing;
  let { lines, at } = standing;
  let failure: string | undefined;
  const open = new Set<number>();
  let lastParts = -1;
  let saving: Promise<void> | undefined;
  let isWanted = false;
  let isEnding = false;
  /** A fold that failed is not tried again at once. */
  let foldedFrom = place.maxLogBytes;

  const headerOf = (first: number): string => {
    const header: LogHeader = { log: 1, id, first, at, ...identity };
    return `${JSON.stringify(header)}\n`;
  };

  const append = (line: LogLine): void => {
    if (isEnding && isOfDocument(line)) throw new NotStoredError('The sandbox is closing.');
    const text = `${JSON.stringify(line)}\n`;
    try {
      place.append(place.logSize() === 0 ? headerOf(lines) + text : text);
      failure = undefined;
    } catch (error) {
      failure = `The change can't be kept, so it was not made: ${(error as Error).message}`;
      throw new NotStoredError(failure);
    }
    lines += 1;
    if (place.logSize() > Math.max(foldedFrom, place.documentSize())) requestSave();
  };

  const save = async (): Promise<void> => {
    const bytes = place.logSize();
    const mark: LogMark = { id, lines, at: readTime(store.time) };
    const sandbox = stateOfSandbox(store);
    const document = streamed({ version: SNAPSHOT_VERSION, log: mark, sandbox });
    await place.replaceDocument(inChunks(jsonPieces(document)));
    at = mark.at;
    await place.cutLog(bytes, headerOf(mark.lines));
    foldedFrom = place.maxLogBytes;
  };

  /** What a later line refers to stays in the log. */
  const saveUnlessOpen = async (): Promise<void> => {
    if (open.size > 0) return;
    isWanted = false;
    await save();
  };

  const requestSave = (): void => {
    isWanted = true;
    if (saving || open.size > 0) return;
    // A line is written before what it says is done: that comes first.
    saving = Promise.resolve()
      .then(saveUnlessOpen)
      .catch((error: Error) => {
        foldedFrom = place.logSize() + place.maxLogBytes;
        warn(`The state could not be written anew, its log goes on: ${error.message}`);
      })
      .finally(() => {
        saving = undefined;
        if (isWanted) requestSave();
      });
  };

  return {
    append,
    openParts() {
      lastParts = Math.max(lines, lastParts + 1);
      open.add(lastParts);
      return lastParts;
    },
    closeParts(parts) {
      open.delete(parts);
      if (isWanted) requestSave();
    },
    requestSave,
    problem() {
      if (failure === undefined) return undefined;
      try {
        place.tryAppend();
        failure = undefined;
      } catch (error) {
        failure = (error as Error).message;
      }
      return failure;
    },
    save,
    async fold() {
      requestSave();
      await saving;
    },
    async end() {
      isEnding = true;
      while (saving) {
        // This one does what was asked for meanwhile.
        isWanted = false;
        await saving;
      }
      await save();
    },
  };
}

const isOfDocument = (line: LogLine): boolean =>
  'part' in line || ('change' in line && line.parts !== undefined);
