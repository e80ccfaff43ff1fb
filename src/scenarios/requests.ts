/* Turns a step of a scenario into a request, with values from earlier responses. */

import { type Operation, urlOf } from '../api/operation.ts';
import { parseUrl } from '../world/platform.ts';
import { valueAt } from './json.ts';
import { type Input, isReference, type ScenarioCall } from './scenario.ts';

/** The `data` of earlier responses, by step name. */
type Answers = ReadonlyMap<string, unknown>;

/** Resolves the references in an input, or says what is missing. */
function resolve(
  input: Input,
  answers: Answers,
): { readonly input: Record<string, unknown> } | { readonly missing: string } {
  const resolved: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(input)) {
    if (!isReference(value)) {
      resolved[field] = value;
      continue;
    }
    const issued = valueAt(answers.get(value.$step), value.$at);
    const found = value.$unlike === undefined ? issued : (otherThan(issued) ?? value.$unlike);
    if (found === undefined || found === null) {
      const isThere = answers.has(value.$step);
      return {
        missing: isThere ? `response without ${value.$at}` : 'request that did not succeed',
      };
    }
    resolved[field] = found;
  }
  return { input: resolved };
}

/**
 * A value in the form of an issued one: its last digits are others, or its letters if it has no digits there. Undefined
 * if it has neither.
 */
function otherThan(issued: unknown): string | undefined {
  if (typeof issued !== 'string' && typeof issued !== 'number') return undefined;
  const [start, end] = [String(issued).slice(0, -LAST), String(issued).slice(-LAST)];
  const other = end.replace(/\d/g, (digit) => String((Number(digit) + 5) % 10));
  const changed = start + (other === end ? end.replace(/[a-y]/gi, nextLetter) : other);
  return changed === String(issued) ? undefined : changed;
}

const LAST = 8;
const nextLetter = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) + 1);

/** The sender of a request. */
interface Sender {
  readonly base: string;
  readonly key: string;
  /** The key before the last rotation. */
  readonly oldKey?: string | undefined;
}

/** The request of a step, or why it cannot be sent. */
export function stepRequest(
  sender: Sender,
  step: ScenarioCall,
  answers: Answers,
): Request | string {
  const { operation, follow, input } = step;
  const resolved = resolve(follow ? { follow } : input, answers);
  if ('missing' in resolved) return `depends on an earlier ${resolved.missing}`;
  const url = follow
    ? followed(sender.base, operation, resolved.input.follow)
    : urlOf(sender.base, operation, resolved.input);
  if (url === undefined) return 'the page URL is not an absolute URL';
  return requestOf(sender, operation, { ...step, input: resolved.input }, url);
}

/** A request to an operation. A step may override its parts. */
export function requestOf(
  { base, key, oldKey }: Sender,
  operation: Operation,
  {
    input = {},
    raw,
    method,
    contentType = 'application/json',
    authorization,
  }: Partial<ScenarioCall> = {},
  url = urlOf(base, operation, input),
): Request {
  const verb = method ?? operation.method.toUpperCase();
  const headers = new Headers({ accept: 'application/json' });
  const shown = authorization === 'old key' ? `Bearer ${oldKey}` : authorization;
  if (shown !== null) headers.set('authorization', shown ?? `Bearer ${key}`);
  if (verb !== 'GET') headers.set('content-type', contentType);
  // Bytes, because a string would add a Content-Type.
  const body =
    raw instanceof Uint8Array ? raw : new TextEncoder().encode(raw ?? JSON.stringify(input));
  return new Request(url, {
    method: verb,
    headers,
    redirect: 'manual',
    ...(verb !== 'GET' && { body }),
  });
}

/**
 * The path and query of a page URL on the checked server. The key is never sent to another server.
 */
function followed(base: string, { path }: Operation, address: unknown): URL | undefined {
  const url = typeof address === 'string' ? parseUrl(address) : undefined;
  if (!url) return undefined;
  const { pathname, search } = url;
  // A server behind a gateway may not know the prefix of its public paths.
  const there = pathname.endsWith(path) ? base + path : new URL(base).origin + pathname;
  return new URL(there + search);
}
