// biome-ignore lint/suspicious/noExplicitAny: a document is read freely
type Any = any;

/** Every object in a document, with its path. */
export function objectsOf(
  value: unknown,
  path = '#',
): { value: Record<string, Any>; path: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, each]) => objectsOf(each, `${path}/${key}`));
  return Array.isArray(value) ? inside : [{ value, path }, ...inside];
}
