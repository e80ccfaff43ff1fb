const MOST_CHARACTERS = 160;

/** A value as a report shows it. Hide secrets first: what is cut could hide half of one. */
export function show(value: unknown): string {
  return value === undefined ? 'nothing' : shortly(JSON.stringify(value) ?? String(value));
}

/** A text on one line, cut where it is long. */
export function shortly(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a server's text must not steer a terminal
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line.length <= MOST_CHARACTERS ? line : `${line.slice(0, MOST_CHARACTERS)}…`;
}
