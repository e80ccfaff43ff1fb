/*
 * A page of a list is mostly its elements, and records are never changed in place: a change is a new
 * record. So the JSON of an element is made once, when a page first shows it, and kept beside it; the
 * journal keeps the same texts.
 */

/** How many texts are kept before all are let go: who walks a whole World must not double it. */
const MAX_TEXTS_KEPT = 50_000;

let texts = new WeakMap<object, string>();
let kept = 0;

/** A list page, as `paginate` makes it. */
interface Page {
  readonly data: readonly object[];
}

export function isPage(data: unknown): data is Page {
  return typeof data === 'object' && data !== null && 'current_page' in data;
}

const EMPTY = '"data":[]';

/** The JSON of a page, in pieces: what stands around the elements, and each element. */
export function pageText(page: Page): string[] {
  const around = JSON.stringify({ ...page, data: [] });
  const place = around.indexOf(EMPTY) + EMPTY.length - 1;
  return listText(page.data, around.slice(0, place), around.slice(place));
}

/** The JSON of a list, in pieces: its elements, and what stands before and behind them. */
export function listText(elements: readonly object[], before = '[', behind = ']'): string[] {
  const pieces = [before];
  for (const [position, element] of elements.entries()) {
    if (position > 0) pieces.push(',');
    pieces.push(textOf(element));
  }
  pieces.push(behind);
  return pieces;
}

function textOf(element: object): string {
  let text = texts.get(element);
  if (text === undefined) {
    if (kept === MAX_TEXTS_KEPT) [texts, kept] = [new WeakMap(), 0];
    text = JSON.stringify(element);
    texts.set(element, text);
    kept += 1;
  }
  return text;
}
