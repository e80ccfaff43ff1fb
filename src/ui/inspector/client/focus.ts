/* Keeps the keyboard focus in the page when the element that had it goes away. */

import { after } from '../../layout/client/browser-time.ts';

/** How long the page takes to draw what follows, about. */
const FOCUS_MS = 150;

/** What takes the focus: what was just opened or bought, then the menu, which is always there. */
const PLACES = ['.bought button', '.detail .title', '.message .title', '.merchant .name'];

/** If nothing has the focus soon, focuses this element or, if it is gone, what was opened in its place. */
export function keepFocus(before?: Element | null): void {
  after(FOCUS_MS, () => {
    if (document.activeElement !== document.body) return;
    const places = [before, ...PLACES.map((place) => document.querySelector(place))];
    for (const place of places) {
      if (place instanceof HTMLElement) place.focus();
      if (document.activeElement !== document.body) return;
    }
  });
}
