/* The only file that reads the browser's clock and starts timers. */

/** The browser's clock, in milliseconds. */
export const browserNow = (): number => Date.now();

/** Runs work later. Returns a function that cancels it. */
export function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** Runs work repeatedly. Returns a function that stops it. */
export function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    after(ms, resolve);
  });

/** Runs the function once for all calls within that time. */
export function debounce(ms: number, run: () => void): () => void {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    after(ms, () => {
      waits = false;
      run();
    });
  };
}
