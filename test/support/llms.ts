/** A call from the text, as a reader would copy it. */
export interface Shown {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

/** The calls of `/llms.txt`, in their order. */
export const callsOf = (text: string): Shown[] =>
  [...text.matchAll(/^- .*: `(GET|POST|PUT) (\S+)`(?:\n {2}`(.*)`)?$/gm)].map(
    ([, method = '', path = '', body]) => ({ method, path, body }),
  );

/** A path or a body whose values in angle brackets come from the data of an earlier response. */
export const filled = (text: string, data: unknown): string =>
  text.replace(/<(\w+)>/g, (_, field) => String(Reflect.get(Object(data), field)));
