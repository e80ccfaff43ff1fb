/**
 * The absolute URL that a text is; undefined where it is none.
 *
 * `URL.canParse` can't be relied on: after a few thousand calls, when V8 has compiled what makes them, Node 20 and 22
 * take a URL with a letter such as `ü` for none.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
