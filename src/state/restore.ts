import { ControlError } from '../control/control-error.ts';
import type { Host } from '../control/host.ts';
import { MAX_SNAPSHOT_DEPTH } from '../control/large-body.ts';
import { loadSandbox } from '../control/sandbox-state.ts';
import { inTurns, readTime, takeTurn } from '../core/clock.ts';
import { createJsonReader } from '../core/json-reader.ts';
import { watchRoom } from '../core/memory-room.ts';
import type { Instant } from '../core/time.ts';
import type { OpenSandbox } from '../open-sandbox.ts';
import { type Identity, type LogHeader, LogMark, parseHeader, parseLine } from './lines.ts';
import { StateError, type StatePlace } from './place.ts';
import { createReplayer } from './replay.ts';

/** How far a state has come. */
export interface Standing {
  readonly id: string;
  /** How many lines there have been, those included whose outcome is in the document. */
  readonly lines: number;
  /** When the state of the document began to go on, in the sandbox's time. */
  readonly at: Instant;
  /** Whether there is a document that names its log. */
  readonly isMarked: boolean;
  /** Whether there is a line in the log; a header alone says nothing of what comes after it. */
  readonly hasLines: boolean;
  /** Whether those lines are another program's, or one's with other fixtures, profile or options. */
  readonly isForeign: boolean;
}

/**
 * Makes a sandbox what a place holds: the document, then every change since, each at its moment, so that it
 * is the same to the byte. Throws `StateError`; the place is as it was then.
 */
export async function restoreState(
  opened: OpenSandbox,
  place: StatePlace,
  identity: Identity,
  warn: (line: string) => void,
): Promise<Standing> {
  const { time } = opened.store;
  const document = await readDocument(place, opened.store.host);
  const mark = markOf(document);
  const log = openLog(place, warn);
  const header = await log.header();
  const line = await log.next();
  const hasLines = line !== undefined;
  const others = header && hasLines ? differencesOf(header, identity) : [];
  if (others.length > 0) warnOrRefuse(place, others.join(' and '), warn);
  const idleSince = place.outlivesProgram ? mark?.at : undefined;
  const at = header && hasLines ? requireFit(header, mark) : (idleSince ?? readTime(time));

  time.held = true;
  time.latest = at;
  if (document !== undefined) await load(opened, document);
  let lines = header && hasLines ? header.first : (mark?.lines ?? 0);
  const replayer = createReplayer(opened);
  for (let text = line; text !== undefined; text = await log.next()) {
    lines += 1;
    if (lines > (mark?.lines ?? 0)) await apply(replayer, text, lines - (header?.first ?? 0) + 1);
  }
  time.held = false;
  const isMarked = mark !== undefined;
  const isForeign = others.length > 0;
  return { id: mark?.id ?? place.newId(), lines, at, isMarked, hasLines, isForeign };
}

/** Bytes of memory that each byte of a document takes at the least. */
const LEAST_MEMORY_PER_BYTE = 1.2;

async function readDocument(place: StatePlace, { freeMemory }: Host): Promise<unknown> {
  const pieces = place.readDocument();
  if (!pieces) return undefined;
  const needed = place.documentSize() * LEAST_MEMORY_PER_BYTE;
  if (freeMemory && freeMemory(needed) < needed) throw tooLarge(place);
  const hasRoom = freeMemory ? watchRoom(freeMemory) : () => true;
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const json = createJsonReader(MAX_SNAPSHOT_DEPTH);
  let size = 0;
  try {
    for await (const piece of pieces) {
      size += piece.byteLength;
      if (!hasRoom(size)) throw tooLarge(place);
      json.push(utf8.decode(piece, { stream: true }));
      await takeTurn();
    }
    json.push(utf8.decode());
    return json.end();
  } catch (error) {
    if (error instanceof TypeError) throw new StateError('document', 'is no UTF-8 text');
    if (!(error instanceof SyntaxError)) throw error;
    throw new StateError('document', `is no JSON: ${error.message}`, { cause: error });
  }
}

const tooLarge = (place: StatePlace) =>
  new StateError(
    'document',
    `there is no memory for its ${place.documentSize()} bytes; start with a larger --max-old-space-size, as NODE_OPTIONS can say`,
  );

function markOf(document: unknown): LogMark | undefined {
  if (typeof document !== 'object' || document === null || !('log' in document)) return undefined;
  const mark = LogMark.safeParse(document.log);
  if (mark.success) return mark.data;
  throw new StateError('document', 'log: says nothing that this sandbox can read');
}

async function load({ store }: OpenSandbox, document: unknown): Promise<void> {
  try {
    await inTurns(loadSandbox(store, document));
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    throw new StateError('document', error.message);
  }
}

/** The lines of a log after its header. */
function openLog(place: StatePlace, warn: (line: string) => void) {
  const lines = place.readLog();
  const next = async (): Promise<string | undefined> => {
    const { done, value } = await lines.next();
    if (!done) return value;
    if (value?.isTorn) warn('its last line is there by half: that change was not made');
    return undefined;
  };
  return {
    next,
    async header(): Promise<LogHeader | undefined> {
      const text = await next();
      if (text === undefined) return undefined;
      const header = parseHeader(text);
      if (header) return header;
      throw new StateError('log', 'line 1: is not how a log of this program begins');
    },
  };
}

/** In what the program that wrote a log is another than this one. */
const differencesOf = (header: LogHeader, identity: Identity): string[] =>
  Object.entries(PARTS)
    .filter(([part]) => header[part as keyof Identity] !== identity[part as keyof Identity])
    .map(([, words]) => words);

function warnOrRefuse(
  { outlivesProgram }: StatePlace,
  what: string,
  warn: (line: string) => void,
): void {
  if (outlivesProgram) {
    warn(`it was made with another ${what} than now; what it says is made again as things are now`);
    return;
  }
  throw new StateError(
    'log',
    `holds changes that were made with another ${what} than now; start once as before, and stop, to keep them, or remove it`,
  );
}

/** When the state goes on that the lines of a log are to be done on. Throws `StateError` where they are of another. */
function requireFit(header: LogHeader, mark: LogMark | undefined): Instant {
  if (!mark || mark.id !== header.id || mark.lines < header.first) {
    throw new StateError(
      'log',
      'holds changes of another state than that of the file beside it; put that back to keep them, or remove the log',
    );
  }
  return mark.lines > header.first ? mark.at : header.at;
}

const PARTS: Readonly<Record<keyof Identity, string>> = {
  program: 'version of the program',
  fixtures: 'set of fixtures',
  profile: 'profile',
  settings: 'set of options (--now, --freeze, --seed, --auto-merchants, --max-merchants)',
};

async function apply(
  replayer: ReturnType<typeof createReplayer>,
  text: string,
  number: number,
): Promise<void> {
  const line = parseLine(text);
  if (!line) throw new StateError('log', `line ${number}: is broken`);
  try {
    await replayer.apply(line);
  } catch (error) {
    throw new StateError('log', `line ${number}: ${(error as Error).message}`);
  }
}
