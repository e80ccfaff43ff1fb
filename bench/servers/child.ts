import type { Samples } from '../calls.ts';

/** Messages between a server and its parent process. */
export interface Start {
  readonly samples: Samples;
  /** Whether the sandbox logs every request to standard output. */
  readonly log?: boolean;
}

export interface Usage {
  /** Microseconds of processor time so far, user and system. */
  readonly cpu: number;
}

/** Starts a server for the parent process, and reports its port and, on request, its processor time. */
export function serveParent(listen: (start: Start) => Promise<number>): void {
  process.once('message', async (start: Start) => {
    const port = await listen(start);
    process.on('message', () => {
      const { user, system } = process.cpuUsage();
      process.send?.({ cpu: user + system } satisfies Usage);
    });
    process.send?.({ port });
  });
  process.on('disconnect', () => process.exit());
}
