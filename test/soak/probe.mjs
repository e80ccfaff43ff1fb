/*
 * Loaded before the command by what measures it (`node --import`): tells, on a socket of its own, how long
 * the event loop of the command stood still, how much of that V8 collected garbage, and what memory it takes.
 */
import { createServer } from 'node:http';
import { PerformanceObserver } from 'node:perf_hooks';

/** How often the event loop is looked at. */
const TICK_MS = 4;
/** A turn with a longer collection in it is none of ours: V8 does more around it than it tells of. */
const LONG_MS = 20;

/** How long each turn took, beyond what its timer asked for, of which how much was work, and when it ended. */
let turns = [];
/** When V8 stopped everything to collect, and for how long. */
let pauses = [];
let ownPause = { start: 0, end: 0 };
let last = performance.now();
let lastWork = process.cpuUsage();

setInterval(() => {
  const now = performance.now();
  const { user, system } = process.cpuUsage(lastWork);
  const ms = Math.max(0, now - last - TICK_MS);
  // A busy machine lets other programs run in the middle of a turn.
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
  // Observers hear of a collection in a turn after it.
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

/** How many bytes of the heap are in use once garbage was collected; that collection counts for nothing. */
function takeHeap() {
  const start = performance.now();
  globalThis.gc();
  ownPause = { start, end: performance.now() };
  return process.memoryUsage().heapUsed;
}

/** What was measured since it was asked for before, in milliseconds. */
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

/** How long each turn worked, collections aside. Both are in the order of time. */
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
