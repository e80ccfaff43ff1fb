/** Everybody who waits for one signal, and the one listener it has for all of them. */
interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls back once, when the first of these signals aborts, or at once if one has already. Returns a function that stops
 * waiting. Either way it leaves nothing behind on a signal that lives on. However many wait, a signal has one listener:
 * platforms take more than ten for a leak and warn of it.
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
  // A callback that is given twice is called twice.
  const own = () => {
    stop();
    callback();
  };
  const stop = () => {
    for (const signal of waiting) stopWaiting(signal, own);
  };
  for (const signal of waiting) {
    const { callbacks } = waitingFor.get(signal) ?? listenTo(signal);
    callbacks.add(own);
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

/** Anything that can be called. */
type Callable = (...args: never[]) => unknown;

/** Begins the stack of an error where somebody called that function, as far as the runtime can tell. */
export function atCaller<E extends Error>(error: E, called: Callable): E {
  Error.captureStackTrace?.(error, called);
  return error;
}

/** What `await using` calls at the end of a block. */
interface Disposal {
  [Symbol.asyncDispose](): Promise<void>;
}

/** The same as closing, where the runtime knows of it. */
export const disposal = (close: () => Promise<void>): Disposal =>
  (Symbol.asyncDispose ? { [Symbol.asyncDispose]: close } : {}) as Disposal;

/**
 * The absolute URL that a text is; undefined where it is none.
 *
 * `URL.canParse` can't be relied on: after a few thousand calls, when V8 has compiled what makes them, Node 20 and 22
 * take a URL with a letter such as `ü` for none.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
