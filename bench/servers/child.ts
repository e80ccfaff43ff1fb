import type { Samples } from '../calls.ts';

/** What a server is started with, and what it tells: each over the channel to the parent. */
export interface Start {
  readonly samples: Samples;
  /** Whether the sandbox logs every call to its standard output, in a line. */
  readonly log?: boolean;
}

export interface Usage {
  /** Microseconds of processor time so far, user and system. */
  readonly cpu: number;
}

/** Serves as the parent says, tells the port, and the processor time used whenever it is asked. */
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
