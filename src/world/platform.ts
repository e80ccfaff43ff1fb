/* What platforms lack or do differently: globals, abort signals, stacks, disposal, URLs. */

/* Everything else is loaded after this file, so the error of an unfit environment comes first. */
const MISSING = ['Request', 'Response', 'Headers', 'ReadableStream', 'TextEncoder'].filter(
  (name) => !(name in globalThis),
);
if (MISSING.length > 0) {
  throw new Error(
    `micro-insurance-sandbox needs ${MISSING.join(', ')}, which this environment does not have. In Jest, use the environment "node": write /** @jest-environment node */ at the top of the test file.`,
  );
}

/** Decodes UTF-8 without its byte order mark, which some editors add. Throws if bytes are not UTF-8. */
export const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process; empty on platforms without one. Nothing else reads it. */
export const readEnvironment = (): Environment => globalThis.process?.env ?? {};

/** Node's file functions. Throws on platforms without them. */
export function fileFunctions() {
  const functions = globalThis.process?.getBuiltinModule?.('fs');
  if (!functions) throw new Error('This platform has no files.');
  return functions;
}

/** The process itself: test runners may have replaced the global by a copy that has no events. */
const thisProcess = () =>
  globalThis.process?.getBuiltinModule?.('process') ?? globalThis.process ?? undefined;

/** The signals that end a process unless it listens to them. */
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls back when this process ends and nothing can wait any more: it exits, or a signal ends it. Returns a function that
 * stops watching. Does nothing on platforms without processes.
 */
export function onProcessEnd(callback: () => void): () => void {
  const ending = thisProcess();
  if (!ending?.prependListener) return () => {};
  const onSignal = (signal: NodeJS.Signals): void => {
    stop();
    // Whoever else listens decides whether the process ends.
    if (ending.listenerCount(signal) > 0) return void ending.prependOnceListener('exit', callback);
    callback();
    ending.kill(ending.pid, signal);
  };
  const stop = (): void => {
    ending.removeListener('exit', callback);
    for (const signal of ENDING_SIGNALS) ending.removeListener(signal, onSignal);
  };
  // First, so that listeners who write down what happened see it.
  ending.prependListener('exit', callback);
  for (const signal of ENDING_SIGNALS) ending.prependListener(signal, onSignal);
  return stop;
}

/** All callbacks for one signal, which has one listener for all of them. */
interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls back once, when the first of these signals aborts, or at once if one already has. Returns a function that stops
 * waiting. Either way no listener stays behind. A signal has one listener for any number of callbacks, because platforms
 * warn of more than ten.
 */
export function onAbort(
  signals: readonly (AbortSignal | undefined)[],
  callback: () => void,
): () => void {
  const waiting = signals.filter((signal) => signal !== undefined);
  if (waiting.some(({ aborted }) => aborted)) {
    callback();
    return () => {};
  }
  // The same callback may be added twice.
  const callOnce = () => {
    stop();
    callback();
  };
  const stop = () => {
    for (const signal of waiting) stopWaiting(signal, callOnce);
  };
  for (const signal of waiting) {
    const { callbacks } = waitingFor.get(signal) ?? listenTo(signal);
    callbacks.add(callOnce);
  }
  return stop;
}

function stopWaiting(signal: AbortSignal, callback: () => void): void {
  const waiting = waitingFor.get(signal);
  if (!waiting?.callbacks.delete(callback) || waiting.callbacks.size > 0) return;
  signal.removeEventListener('abort', waiting.listener);
  waitingFor.delete(signal);
}

function listenTo(signal: AbortSignal): Waiting {
  const callbacks = new Set<() => void>();
  const listener = () => {
    for (const callback of callbacks) callback();
  };
  signal.addEventListener('abort', listener, { once: true });
  const waiting = { callbacks, listener };
  waitingFor.set(signal, waiting);
  return waiting;
}

/** Any function. */
type Callable = (...args: never[]) => unknown;

/** Makes the stack of an error begin where that function was called, if the runtime supports it. */
export function atCaller<E extends Error>(error: E, called: Callable): E {
  Error.captureStackTrace?.(error, called);
  return error;
}

/** The method that `await using` calls at the end of a block. */
interface Disposal {
  [Symbol.asyncDispose](): Promise<void>;
}

/** Same as `close`. Absent if the runtime does not support it. */
export const disposal = (close: () => Promise<void>): Disposal =>
  (Symbol.asyncDispose ? { [Symbol.asyncDispose]: close } : {}) as Disposal;

/**
 * Parses an absolute URL; undefined if it is invalid.
 *
 * `URL.canParse` is not reliable: after a few thousand calls, Node 20 and 22 reject URLs with a letter such as `ü`.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
