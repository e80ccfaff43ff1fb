/* What a request sends more than once: the last value counts, in a query as in JSON, and a hint says so. */

/** The parameters of a query, each with its last value. */
export const lastOfEach = (
  queries: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(queries).map(([name, values]) => [name, values.at(-1)]));

/** The first parameter that a query has more than once. */
export const repeatedInQuery = (
  queries: Readonly<Record<string, readonly string[]>>,
): string | undefined => Object.keys(queries).find((name) => (queries[name]?.length ?? 0) > 1);

/**
 * The first field that one object of a JSON text has more than once.
 *
 * @param json the parsed text, which has only the last of each
 */
export function repeatedInJson(text: string, json: unknown): string | undefined {
  // Each field has its own `":` in the usual forms of JSON, so most texts need no closer look.
  return countOf(text, '":') === fieldsIn(json) ? undefined : repeatedField(text);
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) count++;
  return count;
}

/** The number of fields of all objects in a value. */
function fieldsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) count += fieldsIn(element);
    return count;
  }
  for (const name in value) {
    count += 1 + fieldsIn(Reflect.get(value, name));
  }
  return count;
}

/** A text, with what makes it the name of a field, or the begin or the end of an object or a list. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g;

function repeatedField(text: string): string | undefined {
  const around: Set<unknown>[] = [];
  for (const [token, quoted, isName] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') around.push(new Set());
    else if (token === '}' || token === ']') around.pop();
    else if (quoted !== undefined && isName !== undefined) {
      const name: unknown = JSON.parse(quoted);
      const names = around.at(-1);
      if (names?.has(name)) return String(name);
      names?.add(name);
    }
  }
  return undefined;
}
