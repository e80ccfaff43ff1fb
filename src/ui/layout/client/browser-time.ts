/* The one place where the browser's clock is read and timers are started. */

/** The browser's clock, in milliseconds. */
export const browserNow = (): number => Date.now();

/** Does something later. The function it answers prevents that. */
export function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** Does something again and again, until the function it answers is called. */
export function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    after(ms, resolve);
  });

/** The same function, run once for all calls within that time. */
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
