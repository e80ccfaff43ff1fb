import type { Operation } from '../../api/operation.ts';
import { anyFamilies } from '../../products/world.ts';
import { parseJson } from '../json.ts';

/** A call as a merchant's program made it. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** Names and values in turn, as they were sent. */
  readonly headers: readonly string[];
}

/** A request and the response it got, the bodies as they were before they were encoded. */
export interface Exchange extends ProxiedRequest {
  /** The bytes of the request's body; undefined where they can't be read. */
  readonly sent: Uint8Array | undefined;
  /** How many bytes of it there were. */
  readonly sentBytes: number;
  readonly status: number;
  readonly responseHeaders: readonly string[];
  readonly responseText: string;
}

/** An operation that a request asks for, whatever its method. */
export interface KnownCall {
  readonly operation: Operation;
  /** The fields that stand in the path. */
  readonly params: Readonly<Record<string, string>>;
}

/** The path of a target, without its query. */
export const pathOf = (target: string): string => target.split('?', 1)[0] as string;

/** The query of a target, without its `?`. */
export const queryOf = (target: string): string => target.slice(pathOf(target).length + 1);

const ROUTES = anyFamilies
  .flatMap(({ operations }) => operations)
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }));

/** The operation that a target names. */
export function callOf(target: string): KnownCall | undefined {
  const path = pathOf(target);
  for (const { operation, pattern } of ROUTES) {
    const found = pattern.exec(path);
    if (found) return { operation, params: decoded(found.groups ?? {}) };
  }
  return undefined;
}

const decoded = (groups: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeText(value)]));

/** A part of a path without its escapes; what is no text stays as it is. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Headers by name, of a list of names and values in turn. */
export function headersOf(list: readonly string[]): Headers {
  const headers = new Headers();
  for (let place = 0; place + 1 < list.length; place += 2) {
    try {
      headers.append(list[place] as string, list[place + 1] as string);
    } catch {
      // Node reads some headers that a list of the web does not take; none of them is looked at.
    }
  }
  return headers;
}

/** The JSON of a request's body; undefined if it holds none. */
export const sentJson = ({ sent }: Exchange): unknown =>
  sent && parseJson(new TextDecoder().decode(sent));
