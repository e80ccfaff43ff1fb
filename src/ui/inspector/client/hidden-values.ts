/* Values that the journal hides, as far as this page knows them: it sent them itself, or somebody typed them here. */

import type { ListedCall } from './call.ts';

/** How many bodies are kept. */
const MAX_SENT = 200;

/** The bodies that the page sent, by request id. They leave with the page, like everything here. */
const sent = new Map<string, string>();
/** What was typed, by the name of the field: made-up customers can share a number. */
const typed = new Map<string, string>();

/** Keeps the body of a call that the page sent. */
export function keepSent(id: string | undefined, body: string): void {
  if (id === undefined || body === '') return;
  sent.set(id, body);
  const [oldest] = sent.keys();
  if (sent.size > MAX_SENT && oldest !== undefined) sent.delete(oldest);
}

/** Keeps what was typed for the hidden values at these paths. */
export function keepTyped(values: Readonly<Record<string, string>>): void {
  for (const [path, value] of Object.entries(values)) {
    if (value !== '') typed.set(nameOf(path), value);
  }
}

/** The name at the end of a path: `members.0.nin_number` is a `nin_number`. */
const nameOf = (path: string): string => path.split('.').at(-1) ?? path;

/** The body of a call with every hidden value that the page knows. */
export function knownBody({ id, request: { body } }: ListedCall, redacted: string): unknown {
  const paths = redactedPaths(body, redacted);
  if (paths.length === 0) return body;
  const own = sent.get(id);
  if (own !== undefined) return parsed(own);
  return fillIn(
    body,
    Object.fromEntries(paths.map((path) => [path, typed.get(nameOf(path)) ?? ''])),
  );
}

/** The hidden fields of a call whose values were typed, because the page did not send it. */
export const typedIn = ({ id, request }: ListedCall, redacted: string): string[] =>
  sent.has(id) ? [] : [...new Set(redactedPaths(request.body, redacted).map(nameOf))];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The paths of redacted values of a body: `nin_number`, `members.0.nin_number`. A body that is a text has the path ''. */
export function redactedPaths(value: unknown, redacted: string, path = ''): string[] {
  if (typeof value === 'string') return value.includes(redacted) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) =>
    redactedPaths(held, redacted, path === '' ? key : `${path}.${key}`),
  );
}

/** Fills values into a body at their paths. */
export function fillIn(
  body: unknown,
  values: Readonly<Record<string, string>>,
  path = '',
): unknown {
  const given = Object.hasOwn(values, path) ? values[path] : undefined;
  if (given !== undefined && given !== '') return given;
  if (typeof body !== 'object' || body === null) return body;
  const filled = Object.entries(body).map(([key, held]) => [
    key,
    fillIn(held, values, path === '' ? key : `${path}.${key}`),
  ]);
  return Array.isArray(body) ? filled.map(([, held]) => held) : Object.fromEntries(filled);
}
