/* Turns the ids of assumptions in the reference into links. */

type Json = Readonly<Record<string, unknown>>;

/** The parts of a document that hold data, not descriptions. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

/** Longer lists are folded, so that the fields of an operation stand near its title. */
const MAX_SHOWN = 4;

/** Appends each `x-assumptions` to the description next to it, with links to the rows. */
export function linkAssumptions({ 'x-assumptions': rows = {}, ...document }: Json): Json {
  const linked = (id: string) => `[\`${id}\`](/docs/assumptions#${id})`;
  const describe = (description: string, assumptions: readonly string[]): string => {
    const text = description.replace(/`([\w-]+)`/g, (code, id: string) =>
      Object.hasOwn(rows as Json, id) ? linked(id) : code,
    );
    const links = assumptions.map(linked).join(', ');
    if (links === '') return text;
    if (assumptions.length <= MAX_SHOWN) return `${text}\n\nAssumptions: ${links}`.trim();
    const summary = `<summary>${assumptions.length} assumptions</summary>`;
    return `${text}\n\n<details>${summary}\n\n${links}\n\n</details>`.trim();
  };
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    return typeof value === 'object' && value !== null ? visitObject(value as Json) : value;
  };
  const visitObject = ({ 'x-assumptions': named = [], ...rest }: Json): Json => {
    const visited = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [
        key,
        DATA.has(key) ? value : key === 'properties' ? visitNamed(value as Json) : visit(value),
      ]),
    );
    const { description = '' } = rest;
    const text =
      typeof description === 'string' ? describe(description, named as readonly string[]) : '';
    return text === '' ? visited : { ...visited, description: text };
  };
  // A property may have the name of a keyword.
  const visitNamed = (named: Json): Json =>
    Object.fromEntries(Object.entries(named).map(([name, value]) => [name, visit(value)]));
  return visitObject(document);
}
