/** An answer before it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const withoutBody = new Set([204, 205, 304]);

/** What of an answer's body leaves the sandbox. */
export const sentBody = ({ status, body }: Answer): string | null =>
  withoutBody.has(status) ? null : body;

/** The answer as a response, made by the server if it has a way of its own. */
export function send(
  answer: Answer,
  server: { readonly respond?: (answer: Answer) => Response } | undefined,
): Response {
  const { status, headers, body } = answer;
  if (withoutBody.has(status)) return new Response(null, { status, headers });
  return server?.respond ? server.respond(answer) : new Response(body, { status, headers });
}
