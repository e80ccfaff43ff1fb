import type { Call } from './call.ts';

/** Headers that curl writes itself, or that say nothing about the call. */
const LEFT_OUT = new Set([
  'authorization',
  'host',
  'content-length',
  'connection',
  'user-agent',
  'accept',
  'accept-encoding',
  'accept-language',
  'transfer-encoding',
  'origin',
  'referer',
  'cookie',
]);

/**
 * A command that makes a call again.
 *
 * @param origin where the sandbox is: `http://127.0.0.1:4015`
 * @param key of the merchant that calls
 * @param redacted what stands where a value was taken out: the command has the name of its field there
 */
export function curlOf(call: Call, origin: string, key: string, redacted: string): string {
  const { method, path, request } = call;
  const headers = Object.entries(request.headers)
    .filter(([name]) => !LEFT_OUT.has(name) && !name.startsWith('sec-'))
    .map(([name, value]) => `${name}: ${value.replaceAll(redacted, `<${name}>`)}`);
  const body = bodyText(withPlaceholders(request.body, redacted));
  const parts = [
    method === 'GET' && body === undefined ? undefined : `-X ${method}`,
    ...[`authorization: Bearer ${key}`, ...headers].map((header) => `-H ${quote(header)}`),
    body === undefined ? undefined : `--data-raw ${quote(body)}`,
    quote(origin + path.replaceAll(redacted, '<redacted>')),
  ];
  return ['curl', ...parts.filter((part) => part !== undefined)].join(' \\\n  ');
}

/** The text that a body was sent as: JSON, or what was no JSON as it came. */
export const bodyText = (body: unknown): string | undefined =>
  body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body);

/** `'` can't stand inside of quotes of a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function withPlaceholders(value: unknown, redacted: string, field = 'redacted'): unknown {
  if (typeof value === 'string') return value.replaceAll(redacted, `<${field}>`);
  if (Array.isArray(value)) return value.map((each) => withPlaceholders(each, redacted, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [key, withPlaceholders(held, redacted, key)]),
  );
}

/** The paths of the values of a body that were taken out: `nin_number`, `members.0.nin_number`. */
export function redactedPaths(value: unknown, redacted: string, path = ''): string[] {
  if (typeof value === 'string') return value.includes(redacted) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) =>
    redactedPaths(held, redacted, path === '' ? key : `${path}.${key}`),
  );
}

/** A body with values put in at their paths. */
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
