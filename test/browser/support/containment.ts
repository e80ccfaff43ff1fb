import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/* What stays as it is on a page, whatever texts the page shows. */

/**
 * Fails where a part of a page scrolls sideways or a control lies beside the window, where a text with a direction of
 * its own stands outside of `bdi`, and where it changes the order of what stands beside it.
 */
export async function expectContained(page: Page, view: string): Promise<void> {
  expect.soft(await page.evaluate(findOutside), view).toEqual([]);
  expect.soft(await page.evaluate(findReordered), view).toEqual([]);
}

/** Fails unless all of a control is on the screen. */
export async function expectOnScreen(control: Locator): Promise<void> {
  await control.first().waitFor();
  const room = await control.first().evaluate((element) => {
    const { top, right, bottom, left } = element.getBoundingClientRect();
    return { top, right: innerWidth - right, bottom: innerHeight - bottom, left };
  });
  const missing = Object.entries(room).filter(([, pixels]) => pixels < 0);
  expect.soft(missing, `${control}`).toEqual([]);
}

/** Runs in the page: what scrolls sideways, and controls that are not in the window. */
function findOutside(): string[] {
  const nameOf = ({ tagName, className, textContent }: Element) =>
    `${tagName.toLowerCase()} ${className} ${textContent?.slice(0, 40)}`;
  const shown = [...document.querySelectorAll('*')].filter((element) =>
    element.checkVisibility({ visibilityProperty: true }),
  );
  // These scroll in a frame of their own.
  const framed = '.table-frame, .bar, pre, textarea, .answer section';
  const scrolling = shown.filter((element) => {
    const { overflowX } = getComputedStyle(element);
    const mayScroll = element === document.documentElement || /auto|scroll/.test(overflowX);
    return mayScroll && element.scrollWidth > element.clientWidth && !element.closest(framed);
  });
  const beside = shown.filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    const isControl = element.matches('button, .button, input, select, textarea');
    return isControl && width > 1 && (left < 0 || right > innerWidth);
  });
  return [
    ...scrolling.map((element) => `scrolls sideways: ${nameOf(element)}`),
    ...beside.map((element) => `beside the window: ${nameOf(element)}`),
  ];
}

/** Runs in the page: texts outside of `bdi` that have a direction, and those that were put in another order. */
function findReordered(): string[] {
  const directed = /[\u0600-\u06ff\u202a-\u202e\u2066-\u2069]/;
  const found = new Set<string>();
  const short = ({ textContent }: Node) => JSON.stringify(textContent?.slice(0, 40));
  const isInline = (element: Element) => getComputedStyle(element).display === 'inline';

  /** Texts that follow each other in one block, each `bdi` as a whole. */
  const piecesIn = (element: Element): (Text | Element)[] =>
    [...element.childNodes].flatMap((child) => {
      if (child instanceof Text) return [child];
      if (!(child instanceof Element)) return [];
      if (child.tagName === 'BDI') return [child];
      return isInline(child) ? piecesIn(child) : [];
    });

  const boxesOf = (piece: Text | Element, from = 0, to = (piece as Text).length): DOMRect[] => {
    const range = document.createRange();
    if (piece instanceof Text) {
      range.setStart(piece, from);
      range.setEnd(piece, to);
    }
    const boxes = piece instanceof Text ? range.getClientRects() : piece.getClientRects();
    return [...boxes].filter(({ width }) => width > 0);
  };

  const checkText = (text: Text) => {
    if (directed.test(text.data)) found.add(`outside of bdi: ${short(text)}`);
    const letters = [...text.data.slice(0, 500)].flatMap((_, at) => boxesOf(text, at, at + 1));
    const isReordered = letters.some((letter, at) => {
      const before = letters[at - 1];
      return before !== undefined && before.top === letter.top && letter.left < before.left;
    });
    if (isReordered) found.add(`in another order: ${short(text)}`);
  };

  const checkNeighbours = (piece: Text | Element, next: Text | Element) => {
    const [boxes, nextBoxes] = [boxesOf(piece), boxesOf(next)];
    const bottom = Math.max(...boxes.map((box) => box.bottom));
    const top = Math.min(...nextBoxes.map((box) => box.top));
    const end = Math.max(...boxes.filter((box) => box.bottom === bottom).map(({ right }) => right));
    const start = Math.min(...nextBoxes.filter((box) => box.top === top).map(({ left }) => left));
    const isSameLine = top < bottom - 4;
    if (isSameLine && start < end - 1) found.add(`${short(next)} before ${short(piece)}`);
  };

  for (const block of document.body.querySelectorAll('*')) {
    if (isInline(block) || block.closest('bdi, script, select, textarea')) continue;
    if (!block.checkVisibility({ visibilityProperty: true })) continue;
    const pieces = piecesIn(block);
    for (const [place, piece] of pieces.entries()) {
      if (piece instanceof Text) checkText(piece);
      const next = pieces[place + 1];
      if (next) checkNeighbours(piece, next);
    }
  }
  return [...found];
}
