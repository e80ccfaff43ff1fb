type Json = Readonly<Record<string, unknown>>;

/** Values that are data, however much they look like a part of the document. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

/**
 * The same document with each `x-assumptions` told in the description beside it, and with the name of an
 * assumption in a description as a link to its row.
 */
export function annotate(document: Json, ids: ReadonlySet<string>): Json {
  const linked = (id: string) => `[\`${id}\`](#${id})`;
  const describe = (description: string, assumptions: readonly string[]): string => {
    const text = description.replace(/`([\w-]+)`/g, (code, id: string) =>
      ids.has(id) ? linked(id) : code,
    );
    if (assumptions.length === 0) return text;
    return `${text}\n\nAssumptions: ${assumptions.map(linked).join(', ')}`.trim();
  };
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    return typeof value === 'object' && value !== null ? visitObject(value as Json) : value;
  };
  const visitObject = ({ 'x-assumptions': named, ...rest }: Json): Json => {
    const assumptions = Array.isArray(named) ? (named as string[]) : [];
    const { description = '' } = rest;
    const visited = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [
        key,
        DATA.has(key) ? value : key === 'properties' ? visitNamed(value as Json) : visit(value),
      ]),
    );
    const text = typeof description === 'string' ? describe(description, assumptions) : '';
    return text === '' ? visited : { ...visited, description: text };
  };
  // A property may be named as a keyword is.
  const visitNamed = (named: Json): Json =>
    Object.fromEntries(Object.entries(named).map(([name, value]) => [name, visit(value)]));
  return visitObject(document);
}
