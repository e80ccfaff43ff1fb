/* Texts to copy: a call as a curl command, and as a vitest test with the calls of its purchase before it. */

import { contract } from './contract.ts';
import { type Item, isCall, isLost, type JournalCall, keyOf, memberOf, storyOf } from './items.ts';

/** Headers that curl sets itself, or that do not matter for the call. */
const LEFT_OUT =
  /^(authorization|host|content-length|connection|user-agent|accept(-encoding|-language)?|transfer-encoding|origin|referer|cookie|sec-.*)$/;

/** A curl command that repeats a call. A value that the journal hides has the name of its field. */
export function curlOf(call: JournalCall, key: string, origin = location.origin): string {
  const { method, path, request } = call;
  const headers = Object.entries(request.headers)
    .filter(([name]) => !LEFT_OUT.test(name))
    .map(([name, value]) => `${name}: ${value}`);
  const shown = withoutHidden(request.body, (field) => `<${field}>`);
  const body = typeof shown === 'string' ? shown : JSON.stringify(shown);
  const hasBody = request.body !== null;
  const parts = [
    method === 'HEAD' ? '--head' : method === 'GET' && !hasBody ? '' : `-X ${method}`,
    ...[`authorization: Bearer ${key}`, ...headers].map((header) => `-H ${quote(header)}`),
    hasBody ? `--data-raw ${quote(body)}` : '',
    quote(origin + path),
  ];
  return ['curl', ...parts.filter(Boolean)].join(' \\\n  ');
}

/** Quotes a text for a shell, where quotes cannot contain `'`. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Replaces the values that the journal hides. */
export function withoutHidden(
  value: unknown,
  replace: (field: string) => unknown,
  field = 'body',
): unknown {
  if (typeof value === 'string') return value.includes(contract.redacted) ? replace(field) : value;
  if (Array.isArray(value)) return value.map((each) => withoutHidden(each, replace, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [key, withoutHidden(held, replace, key)]),
  );
}

/** A test of the kit that makes the calls of a purchase up to this one, and expects its response. */
export function testOf(call: JournalCall, items: readonly Item[]): string {
  const steps = storyOf(call, items)?.steps.filter(isCall) ?? [];
  const at = steps.findIndex((step) => keyOf(step) === keyOf(call));
  const before = (at === -1 ? [] : steps.slice(0, at)).filter(({ operation }) => operation);
  const names = new Map<string, string>();
  const lines: string[] = [];
  let now = Date.parse(before[0]?.at ?? call.at);
  for (const step of [...before, call]) {
    const later = Date.parse(step.at) - now;
    now = Date.parse(step.at);
    if (later >= 1000) lines.push(`merchant.clock.advance('PT${Math.round(later / 1000)}S');`);
    const { fault } = step;
    if (fault) {
      const rule = {
        match: { operation: step.operation },
        stage: fault.stage,
        effect: fault.effect,
      };
      lines.push(`merchant.faults.add(${literal(rule, names)});`);
    }
    lines.push(...linesOf(step, step === call, names));
  }
  const name = `${call.operation ?? call.path} answers ${isLost(call) ? 'nothing' : call.status}`;
  return `import { expect } from "vitest";
import { test } from "micro-insurance-sandbox/vitest";

test(${JSON.stringify(name)}, async ({ merchant }) => {
${lines.map((line) => line.replaceAll(/^/gm, '  ')).join('\n')}
});
`;
}

/** The lines of one call. A token that it returns gets a name for later calls. */
function linesOf(call: JournalCall, isLast: boolean, names: Map<string, string>): string[] {
  const { operation, path, response, status } = call;
  const isTyped = isAsDeclared(call);
  const made = isTyped
    ? `merchant.call('${operation}', ${literal(inputOf(call), names)})`
    : `merchant.fetch(${JSON.stringify(path)}, ${literal(initOf(call), names)})`;
  if (isLost(call)) return [`await expect(${made}).rejects.toThrow();`];
  const token = memberOf(response?.body, 'data', 'token');
  if (!isLast && isTyped && typeof token === 'string') {
    const name = names.size === 0 ? 'token' : `token${names.size + 1}`;
    names.set(token, name);
    const field = name === 'token' ? 'token' : `token: ${name}`;
    return [`const { ${field} } = await ${made.replace('.call(', '.data(')};`];
  }
  if (!isLast) return [`await ${made};`];
  const first = memberOf(response?.body, 'data', 'error', '0');
  const body = isTyped ? 'answer.body' : 'await answer.json()';
  return [
    `const answer = await ${made};`,
    `expect(answer.status).toBe(${status});`,
    ...(typeof first === 'string'
      ? [`expect(${body}).toMatchObject({ data: { error: [${JSON.stringify(first)}] } });`]
      : []),
  ];
}

const declaredOf = ({ operation }: JournalCall) =>
  contract.operations.find(({ operationId }) => operationId === operation);

/** Whether `merchant.call` sends a call as it was sent: an operation with its method, and JSON with fields if it has a body. */
function isAsDeclared(call: JournalCall): boolean {
  const { method, request } = call;
  if (declaredOf(call)?.method !== method.toLowerCase()) return false;
  const { body } = request;
  const hasFields = typeof body === 'object' && body !== null && !Array.isArray(body);
  return method === 'GET' || (hasFields && /json/i.test(request.headers['content-type'] ?? ''));
}

/** What `fetch` takes to send a call as it was sent. */
function initOf({ method, request }: JournalCall): object {
  const { body, headers } = request;
  const type = headers['content-type'];
  return {
    method,
    ...(type !== undefined && { headers: { 'content-type': type } }),
    ...(body !== null && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
}

/** What the call sent: its body, or its query and the fields of its path. */
function inputOf(call: JournalCall): unknown {
  const { method, path, request } = call;
  const declared = declaredOf(call);
  if (method !== 'GET') {
    return withoutHidden(request.body ?? {}, (field) => memberOf(declared?.sample, field) ?? '…');
  }
  const [sent = '', query = ''] = path.split('?');
  const values = sent.split('/');
  const fields = (declared?.path ?? '')
    .split('/')
    .flatMap((part, place) =>
      part.startsWith(':') ? [[part.slice(1), decodeURIComponent(values[place] ?? '')]] : [],
    );
  return Object.fromEntries([...fields, ...new URLSearchParams(query)]);
}

/** A value as code, with the tokens that have a name. */
function literal(value: unknown, names: ReadonlyMap<string, string>): string {
  const text = JSON.stringify(value, null, 2).replaceAll(/^( *)"([a-z_]\w*)":/gim, '$1$2:');
  let named = text;
  for (const [token, name] of names) named = named.replaceAll(JSON.stringify(token), name);
  // A short one fits on a line.
  const short = named.replaceAll(/\n */g, ' ');
  return short.length <= 70 ? short : named;
}
