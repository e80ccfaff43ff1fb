import { copyFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { keepState } from '../../src/control/stored-worlds.ts';
import type { Sandbox, SandboxOptions } from '../../src/index.ts';
import { keepStateIn } from '../../src/node/kept-state.ts';
import { openStateFile, type StateFile } from '../../src/node/state-file.ts';
import { type SandboxServer, type ServerOptions, startSandbox } from '../../src/node.ts';
import { type OpenSandbox, openSandbox } from '../../src/sandbox/open-sandbox.ts';
import type { StateFiles, TextLine } from '../../src/storage/lines.ts';
import { SERVED_TOOLS } from '../../src/tools/served.ts';
import { type Client, clientOf, everythingOf, remember, START } from './client.ts';
import { withoutCalls } from './snapshots.ts';

export const DEMO = 'sk_sandbox_demo';

const DEFAULTS = { now: START, clock: 'frozen', seed: 7 } as const;

export const newStateFile = (): string => join(mkdtempSync(join(tmpdir(), 'state-')), 'state.json');

/** A sandbox with a state file, closed at the end of the test. */
export async function startKept(file: string, options: ServerOptions = {}): Promise<SandboxServer> {
  const server = await startSandbox({ port: 0, ...DEFAULTS, state: file, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** A sandbox with a state, without a server. */
export interface Kept extends OpenSandbox {
  /** A client of the demo merchant. */
  readonly client: Client;
  /** The warnings that it printed. */
  readonly warned: readonly string[];
  /** Stops it: saves everything and releases the files. */
  stop(): Promise<void>;
}

/** Opens a sandbox with a state file, as a server does. It is released without a save at the end of the test. */
export async function openKept(file: string, options: SandboxOptions = {}): Promise<Kept> {
  const warned: string[] = [];
  const warn = (line: string) => void warned.push(line);
  const opened = remember(openSandbox({ ...DEFAULTS, ...options }, { warn }));
  const kept = await keepStateIn(file, opened, warn);
  onTestFinished(() => kept.release());
  return { ...opened, client: demoClient(opened), warned, stop: kept.save };
}

/** The same with files that behave differently, for example on a full disk. */
export async function openKeptOver<Files extends StateFiles>(
  files: Files,
  options: SandboxOptions = {},
): Promise<Kept & { readonly files: Files }> {
  const opened = remember(openSandbox({ ...DEFAULTS, ...options }, {}, SERVED_TOOLS));
  const warned: string[] = [];
  const kept = await keepState(opened.store, files, (line) => warned.push(line));
  return { ...opened, client: demoClient(opened), warned, stop: kept.save, files };
}

const demoClient = ({ sandbox, store }: OpenSandbox): Client =>
  clientOf(
    sandbox,
    store.byKey.has(DEMO) ? sandbox.merchant(DEMO) : (sandbox.merchants()[0] as never),
  );

/** The two files of a state, closed at the end of the test. */
export function openFiles(file: string): StateFile {
  const files = openStateFile(file);
  onTestFinished(() => files.close());
  return files;
}

/**
 * A copy of the files of a state, as a program leaves them that is killed now.
 */
export function asKilled(file: string): string {
  const copy = newStateFile();
  for (const end of ['', '.log']) {
    if (existsSync(file + end)) copyFileSync(file + end, copy + end);
  }
  return copy;
}

/** Opens the state of a killed sandbox. */
export const revive = (file: string, options?: SandboxOptions): Promise<Kept> =>
  openKept(asKilled(file), options);

/** The contents of the file and the log of a state; undefined if missing. */
export const bytesOf = (file: string): (string | undefined)[] =>
  ['', '.log'].map((end) =>
    existsSync(file + end) ? readFileSync(file + end, 'latin1') : undefined,
  );

/** The complete lines of both files of a state. */
export const linesOf = (file: string): Readonly<Record<'file' | 'log', string[]>> => {
  const [whole, log] = ['', '.log'].map((end) =>
    readFileSync(file + end, 'utf8')
      .split('\n')
      .slice(0, -1),
  ) as [string[], string[]];
  return { file: whole, log };
};

/** Everything that survives a kill, with the journal and the counts of the last save. */
export function keptOf(sandbox: Sandbox) {
  const { anonymousRequests: _, merchants, ...rest } = everythingOf(sandbox);
  return {
    ...rest,
    merchants: merchants.map(({ world, ...merchant }) => ({
      ...merchant,
      world: withoutCalls(world),
    })),
  };
}

/** Files in memory, which a test can read and kill at any point of a save. */
export interface MemoryFiles extends StateFiles {
  /** Their current contents. */
  copy(): MemoryFiles;
  /** How many lines the file has. */
  lines(): number;
  /** Called before each line of a new file, and before the log is cut. */
  meanwhile: (() => unknown) | undefined;
}

export function filesInMemory(from: Readonly<{ file?: Buffer; log?: Buffer }> = {}): MemoryFiles {
  let { file, log = Buffer.alloc(0) } = from;
  const partOf = (part: 'file' | 'log') => (part === 'file' ? file : log);
  const memory: MemoryFiles = {
    maxLogBytes: 16 * 1024 * 1024,
    meanwhile: undefined,
    copy: () => filesInMemory({ ...(file && { file }), log }),
    lines: () => (file ?? '').toString().split('\n').length - 1,
    async *read(part) {
      let end = 0;
      const lines = (partOf(part) ?? '').toString().split('\n');
      yield lines.flatMap((text, place): TextLine[] => {
        const isWhole = place < lines.length - 1;
        end += Buffer.byteLength(text) + Number(isWhole);
        return text === '' && !isWhole ? [] : [{ text, end, isWhole }];
      });
    },
    append(text) {
      log = Buffer.concat([log, Buffer.from(text)]);
    },
    tryAppend: () => undefined,
    size: (part) => partOf(part)?.length ?? 0,
    async replaceFile(pieces) {
      const written: string[] = [];
      // Other work runs before the first line, while the new file is created.
      await memory.meanwhile?.();
      for (const piece of pieces) {
        written.push(piece);
        await memory.meanwhile?.();
      }
      file = Buffer.from(written.join(''));
      await memory.meanwhile?.();
    },
    endLogAt(bytes) {
      log = log.subarray(0, bytes);
    },
    async cutLog(bytes, firstLine) {
      log = Buffer.concat([Buffer.from(firstLine), log.subarray(bytes)]);
    },
    newId: () => 'in-memory',
  };
  return memory;
}
