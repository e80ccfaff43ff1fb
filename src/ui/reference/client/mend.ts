/* Scalar's markup lacks names and has roles that screen readers misread. This mends it whenever Scalar draws. */

type Mend = (element: Element) => void;

const named =
  (name: string): Mend =>
  (element) =>
    element.setAttribute('aria-label', name);

const without =
  (attribute: string): Mend =>
  (element) =>
    element.removeAttribute(attribute);

/** What to mend, by a selector that no longer matches once it is mended. */
const MENDS: Readonly<Record<string, Mend>> = {
  'button[role=search], button[role=none]': without('role'),
  // Not only tabs are in this list of tabs.
  '.client-libraries-list[role=tablist]': (list) => list.setAttribute('role', 'toolbar'),
  '.client-libraries-list [role=tab]': without('role'),
  'button[aria-selected]:not([role])': (button) => {
    button.setAttribute('aria-current', button.getAttribute('aria-selected') ?? 'false');
    button.removeAttribute('aria-selected');
  },
  'button:is(.code-copy, .group\\/copy-button):not([aria-label])': named('Copy'),
  '.client-libraries__select:not([aria-label])': named('More languages'),
  // Several buttons say the same, and what they are about is in their group.
  '.show-more[aria-label]': without('aria-label'),
  'ul.endpoints:not([tabindex])': (list) => list.setAttribute('tabindex', '0'),
  '.cm-content[contenteditable=true]:not([aria-label])': named('Value to send'),
  '.cm-content[contenteditable=false]:not([aria-label])': named('Response body'),
  'td input[type=checkbox]:not([aria-label]), [role=cell] input[type=checkbox]:not([aria-label])':
    named('Send this field'),
  'button[aria-controls]': (button) => {
    // Scalar names a tooltip that is there only while it shows.
    const controlled = button.getAttribute('aria-controls') ?? '';
    if (!document.getElementById(controlled)) button.removeAttribute('aria-controls');
  },
};

function mendAll(): void {
  for (const [selector, mend] of Object.entries(MENDS)) {
    for (const element of document.querySelectorAll(selector)) mend(element);
  }
}

/** Mends what is drawn, now and later. */
export function keepMended(): void {
  const observer = new MutationObserver(mendAll);
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['role', 'aria-selected', 'aria-label', 'aria-controls'],
  });
}
