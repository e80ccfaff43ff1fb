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

/** What to mend, by selector. A second run over the same element changes nothing. */
const MENDS: Readonly<Record<string, Mend>> = {
  'button[role=search], button[role=none]': without('role'),
  // The list also has a button that is no tab.
  '.client-libraries-list[role=tablist]': (list) => list.setAttribute('role', 'toolbar'),
  '.client-libraries-list [role=tab]': without('role'),
  'button[aria-selected]:not([role])': (button) => {
    button.setAttribute('aria-current', button.getAttribute('aria-selected') ?? 'false');
    button.removeAttribute('aria-selected');
  },
  'button:is(.code-copy, .group\\/copy-button):not([aria-label])': named('Copy'),
  '.client-libraries__select:not([aria-label])': named('More languages'),
  // The label does not contain the text that the button shows.
  '.show-more[aria-label]': without('aria-label'),
  'ul.endpoints:not([tabindex])': (list) => list.setAttribute('tabindex', '0'),
  '.cm-content[contenteditable=true]:not([aria-label])': named('Value to send'),
  '.cm-content[contenteditable=false]:not([aria-label])': named('Response body'),
  'td input[type=checkbox]:not([aria-label]), [role=cell] input[type=checkbox]:not([aria-label])':
    named('Send this field'),
  'button[aria-controls]': (button) => {
    // Scalar refers to a tooltip that exists only while it is shown.
    const controlled = button.getAttribute('aria-controls') ?? '';
    if (!document.getElementById(controlled)) button.removeAttribute('aria-controls');
  },
};

function mendAll(): void {
  for (const [selector, mend] of Object.entries(MENDS)) {
    for (const element of document.querySelectorAll(selector)) mend(element);
  }
}

/** Mends everything that Scalar draws from now on. */
export function keepMended(): void {
  const observer = new MutationObserver(mendAll);
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['role', 'aria-selected', 'aria-label', 'aria-controls'],
  });
}
