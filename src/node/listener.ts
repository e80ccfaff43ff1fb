import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Sandbox } from '../public.ts';
import { headersOf, IncomingConnection, IncomingRequest, urlOf } from './incoming.ts';
import { fail, PlainResponse, refuseTarget, writePlain, writeResponse } from './outgoing.ts';

/*
 * Node's own Request, Response and Headers cost 15 ms when they are first touched (half of what a bare
 * server takes to start) and a third of the throughput after that. The merchant API needs little of
 * them, so what it gets here is that little; what goes beyond it (pages, faults) still uses Node's own.
 */

/** Answers Node's requests from a sandbox. The signal ends what waits: `hang`, `delay`, `journal/await`. */
export function createListener(
  sandbox: Pick<Sandbox, 'fetch'>,
  closing: AbortSignal,
): RequestListener {
  return (incoming, outgoing) => {
    void answer(sandbox, closing, incoming, outgoing);
  };
}

async function answer(
  sandbox: Pick<Sandbox, 'fetch'>,
  closing: AbortSignal,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    const headers = headersOf(incoming);
    const url = urlOf(headers, incoming.url);
    if (url === undefined) return refuseTarget(outgoing);
    const request = new IncomingRequest(incoming, outgoing, url, headers, closing);
    const response: Response | PlainResponse = await sandbox.fetch(
      request as unknown as Request,
      new IncomingConnection(headers, incoming),
    );
    if (response instanceof PlainResponse) writePlain(response, outgoing);
    else await writeResponse(response, outgoing);
  } catch (error) {
    fail(error, outgoing);
  }
}
