import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { DomainError } from '../../world/errors.ts';
import { isJson, parseJson, stripEmpty, trimTexts } from '../body.ts';
import type { MerchantContext, MerchantEnv } from '../context.ts';

/*
 * What stands before the validator of a route: it hands the validator what was sent without what counts
 * as missing, parsed once.
 */

/** Refuses with 415, 413 or 400 what is no readable JSON. */
export const parseJsonBody = createMiddleware<MerchantEnv>((c, next) => {
  const contentType = c.req.header('content-type');
  if (!isJson(contentType)) {
    throw new DomainError(
      'unsupported_media_type',
      ['The Content-Type header must be application/json.'],
      ['http-status'],
    );
  }
  const call = c.get('call');
  const { text, error } = call.body;
  if (error) throw error;
  const raw = parseJson(text ?? '');
  const stripped = stripEmpty(textsOf(c, raw));
  call.input = { raw: raw as Readonly<Record<string, unknown>>, stripped };
  handToValidator(c, stripped);
  return next();
});

/** A path is taken as it is, unless a profile trims texts. */
export const parsePath = createMiddleware<MerchantEnv>((c, next) => {
  const params = textsOf(c, c.req.param()) as Record<string, string>;
  c.req.param = ((name?: string) => (name === undefined ? params : params[name])) as never;
  return next();
});

/** What was sent, its texts trimmed if a profile says so (`text-trim`). */
const textsOf = (c: MerchantContext, sent: unknown): unknown =>
  c.get('world').settings.textTrim === 'trim' ? trimTexts(sent) : sent;

/** Makes a parsed body what the validator of the route validates. */
export function handToValidator({ req }: Pick<Context, 'req'>, json: unknown): void {
  req.json = async () => json as never;
  if (VALIDATED_TYPE.test(req.header('content-type') ?? '')) return;
  const { url, method, headers, signal } = req.raw;
  const relabelled = new Headers(headers);
  relabelled.set('content-type', 'application/json');
  req.raw = new Request(url, { method, headers: relabelled, signal });
}

/** The Content-Types that the validator itself takes for JSON: not one with a blank before its `;`, nor none. */
const VALIDATED_TYPE = /^application\/json(;\s*[a-zA-Z0-9-]+=[^;]+)*$/i;

/** Of a field that a query names twice the first counts, as of one that it names once. */
export const parseQuery = createMiddleware<MerchantEnv>((c, next) => {
  const raw = c.req.query();
  const stripped = stripEmpty(textsOf(c, raw)) as Record<string, string>;
  c.get('call').input = { raw, stripped };
  const queries = Object.fromEntries(
    Object.entries(stripped).map(([name, value]) => [name, [value]]),
  );
  c.req.queries = (() => queries) as typeof c.req.queries;
  return next();
});
