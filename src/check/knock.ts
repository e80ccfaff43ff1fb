import type { Settings } from '../core/settings.ts';
import type { Operation } from '../http/operation.ts';
import type { ProductFamily } from '../products/family.ts';
import { NoReply, type Reply, type Send } from './connection.ts';
import type { Json } from './probe.ts';
import type { Redact } from './redact.ts';
import { CannotCheck } from './report.ts';
import { requestOf } from './requests.ts';
import { shortly } from './show.ts';

/** Asks for one list before anything else: is this a server that speaks the contract, and is the key good? */
export async function knock(
  send: Send,
  base: string,
  families: readonly ProductFamily[],
  key: string,
  settings: Settings,
  redact: Redact,
): Promise<void> {
  const refuse = (why: string): never => {
    throw new CannotCheck(redact(`${base} ${why}.`));
  };
  const operation = listOf(families[0] as ProductFamily);
  let reply: Reply;
  try {
    reply = await send(requestOf(base, operation, key, {}) as Request);
  } catch (error) {
    if (error instanceof NoReply) return refuse(error.message);
    throw error;
  }
  const { status, headers, text, body } = reply;
  if (status >= 300 && status < 400) {
    refuse(
      `redirects to ${headers.get('location') ?? 'nowhere'}; give --url the address it leads to`,
    );
  }
  const message = (body as Json)?.message ?? (body as Json)?.response_message;
  const refusals = [401, 403, settings.statuses.unauthenticated];
  const failed = status >= 400 || (body as Json)?.success === false;
  if (failed && refusals.includes(status)) {
    const said = typeof message === 'string' ? `: "${shortly(redact(message))}"` : '';
    refuse(`refuses the key with ${status}${said}`);
  }
  if (text === '') refuse(`answers ${status} with nothing in it, where JSON was expected`);
  if (body === undefined) {
    const html =
      /^\s*<(!doctype|html)/i.test(text) || /html/.test(headers.get('content-type') ?? '');
    refuse(
      `answers ${status} with ${html ? 'HTML' : 'something'} that is not JSON: ${shortly(redact(text))}`,
    );
  }
}

/** The list of a family: it needs no input and changes nothing. */
export function listOf({ operations }: ProductFamily): Operation {
  const list = operations.find(({ method, path }) => method === 'get' && !path.includes(':'));
  return list as Operation;
}
