import type { Operation } from '../api/operation.ts';
import { parseUrl } from '../world/platform.ts';
import { type Json, valueAt } from './json.ts';
import { type Call, type Input, isReference } from './scenarios/scenario.ts';

/** The data of the answers so far, by the names of their steps. */
type Answers = ReadonlyMap<string, Json>;

/** An input with the values that its references stand for, or the step whose answer lacks one. */
function resolve(
  input: Input,
  answers: Answers,
): { readonly input: Record<string, Json> } | { readonly missing: string } {
  const resolved: Record<string, Json> = {};
  for (const [field, value] of Object.entries(input)) {
    if (!isReference(value)) {
      resolved[field] = value;
      continue;
    }
    const found = valueAt(answers.get(value.$step), value.$at);
    if (found === undefined || found === null) return { missing: value.$step };
    resolved[field] = found;
  }
  return { input: resolved };
}

/** Who sends a request. */
interface Sender {
  readonly base: string;
  readonly key: string;
  /** The key before the last rotation. */
  readonly oldKey?: string | undefined;
}

/** The request of a step, or why it can't be sent. */
export function stepRequest(sender: Sender, step: Call, answers: Answers): Request | string {
  const { operation, follow, input } = step;
  const resolved = resolve(follow ? { follow } : input, answers);
  if ('missing' in resolved) return 'an earlier call that it builds on was not accepted';
  const url = follow
    ? followed(sender.base, operation, resolved.input.follow)
    : urlOf(sender.base, operation, resolved.input);
  if (url === undefined) return 'the page URL is not an absolute URL';
  return requestOf(sender, operation, { ...step, input: resolved.input }, url);
}

/** A request of an operation, as far as a step does not say otherwise. */
export function requestOf(
  { base, key, oldKey }: Sender,
  operation: Operation,
  { input = {}, raw, method, contentType = 'application/json', authorization }: Partial<Call> = {},
  url = urlOf(base, operation, input),
): Request {
  const verb = method ?? operation.method.toUpperCase();
  const headers = new Headers({ accept: 'application/json' });
  const shown = authorization === 'old key' ? `Bearer ${oldKey}` : authorization;
  if (shown !== null) headers.set('authorization', shown ?? `Bearer ${key}`);
  if (verb !== 'GET') headers.set('content-type', contentType);
  // Bytes, because a text would bring a Content-Type of its own.
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
 * Where a page URL leads on the server that is checked: its path and query there. The key goes to the server it was
 * given for, and to no other.
 */
function followed(base: string, { path }: Operation, address: unknown): URL | undefined {
  const url = typeof address === 'string' ? parseUrl(address) : undefined;
  if (!url) return undefined;
  const { pathname, search } = url;
  // Behind an address of its own, a server may not know what its paths begin with for the caller.
  const there = pathname.endsWith(path) ? base + path : new URL(base).origin + pathname;
  return new URL(there + search);
}

function urlOf(base: string, { path, method }: Operation, input: Input): URL {
  const url = new URL(base + path);
  if (method !== 'get') return url;
  for (const [key, value] of Object.entries(input)) {
    if (!url.pathname.includes(`:${key}`)) url.searchParams.set(key, String(value));
    else url.pathname = url.pathname.replace(`:${key}`, encodeURIComponent(String(value)));
  }
  return url;
}
