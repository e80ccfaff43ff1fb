/** Everybody who waits for one signal, and the one listener it has for all of them. */
interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls back when a signal aborts, or at once where it has already; answers how to stop waiting for it.
 * However many wait, the signal has one listener: platforms take more than ten for a leak and warn of it.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  const { callbacks, listener } = waitingFor.get(signal) ?? listenTo(signal);
  // A callback that is given twice is called twice.
  const own = () => callback();
  callbacks.add(own);
  return () => {
    if (!callbacks.delete(own) || callbacks.size > 0) return;
    signal.removeEventListener('abort', listener);
    waitingFor.delete(signal);
  };
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
