/*
 * Loaded before the command with `node --import`. Reports on its own socket how long the command's
 * event loop was blocked, how long V8 collected garbage meanwhile, and the memory in use.
 */
import { createServer } from 'node:http';
import { PerformanceObserver } from 'node:perf_hooks';

/** The interval of the timer that measures the event loop. */
const TICK_MS = 4;
/** Turns with a longer collection do not count: V8 does more work around it than it reports. */
const LONG_MS = 20;

/** Each turn: its time beyond the timer's interval, the share that was work, and its end. */
let turns = [];
/** The start and length of V8's pauses for garbage collection. */
let pauses = [];
let ownPause = { start: 0, end: 0 };
let last = performance.now();
let lastWork = process.cpuUsage();

setInterval(() => {
  const now = performance.now();
  const { user, system } = process.cpuUsage(lastWork);
  const ms = Math.max(0, now - last - TICK_MS);
  // On a busy machine, other programs run in the middle of a turn.
  turns.push({ end: now, ms, work: Math.min(ms, (user + system) / 1000) });
  begin();
}, TICK_MS).unref();

function begin() {
  last = performance.now();
  lastWork = process.cpuUsage();
}

new PerformanceObserver((list) => {
  for (const { startTime: start, duration: ms } of list.getEntries()) {
    if (start < ownPause.start || start > ownPause.end) pauses.push({ start, ms });
  }
}).observe({ entryTypes: ['gc'] });

const server = createServer((request, response) => {
  // Observers are notified of a collection in a later turn.
  setTimeout(() => {
    const told = TOLD[request.url]();
    begin();
    response.end(JSON.stringify(told));
  }, 50);
});
server.on('connection', (socket) => socket.unref());
server.listen(process.env.PROBE_SOCKET).unref();

const TOLD = {
  '/turns': takeTurns,
  '/rss': () => process.memoryUsage.rss(),
  '/heap': takeHeap,
};

/** The bytes of the heap in use after a garbage collection. This collection is not measured. */
function takeHeap() {
  const start = performance.now();
  globalThis.gc();
  ownPause = { start, end: performance.now() };
  return process.memoryUsage().heapUsed;
}

/** The measurements since the last request, in milliseconds. */
function takeTurns() {
  const own = ownTimes().sort((a, b) => a - b);
  const measured = {
    longest: longest(turns),
    longestOwn: own.at(-1) ?? 0,
    mostOwn: own[Math.floor((own.length - 1) * 0.999)] ?? 0,
    longestPause: longest(pauses),
  };
  turns = [];
  pauses = [];
  return measured;
}

/** The work of each turn without collections. Turns and pauses are in chronological order. */
function ownTimes() {
  let next = 0;
  return turns.map(({ end, ms, work }) => {
    let collected = 0;
    for (; next < pauses.length && pauses[next].start < end; next++) {
      if (pauses[next].start > end - ms - TICK_MS) collected += pauses[next].ms;
    }
    return collected > LONG_MS ? 0 : Math.max(0, work - collected);
  });
}

const longest = (times) => times.reduce((most, { ms }) => Math.max(most, ms), 0);
