import { annotate } from './annotate.ts';
import { followReading } from './reading.ts';
import { type Found, startSearch } from './search.ts';
import { drawDocument, type Widget } from './widget.ts';

const reference = document.querySelector<HTMLElement>('#reference');
const assumptions = new Set(
  [...document.querySelectorAll('#suppositions tbody tr')].map(({ id }) => id),
);

// A phone shows the operations first.
const contents = document.querySelector<HTMLDetailsElement>('aside details');
if (contents && matchMedia('(max-width: 860px)').matches) contents.open = false;

let widget: Widget | undefined;
let found: Found;

const search = startSearch((left) => {
  found = left;
  widget?.filter(left);
});

// The widget reads the address too, and would fail at it.
if (location.hash !== '' && decode(location.hash) === '') {
  history.replaceState(null, '', location.pathname);
}

if (reference) {
  start(reference).catch(() => {
    reference.textContent = 'The document could not be loaded: is the sandbox running?';
  });
}

async function start(place: HTMLElement): Promise<void> {
  const response = await fetch(place.dataset.document ?? '');
  const spec = annotate((await response.json()) as Record<string, unknown>, assumptions);
  // The documents name the default address; what is tried here must reach the sandbox that shows the page.
  const servers = [{ url: location.origin, description: 'This sandbox' }];
  widget = await drawDocument(place, { ...spec, servers });
  if (found) widget.filter(found);
  for (const input of document.querySelectorAll<HTMLInputElement>('[data-scheme]')) {
    const authorize = () => widget?.authorize(input.dataset.scheme ?? '', input.value.trim());
    input.addEventListener('input', authorize);
    if (input.value !== '') authorize();
  }
  requestAnimationFrame(goToHash);
  followReading();
}

/** Goes to what the address names: a heading, an operation below it, or an assumption. */
function goToHash(): void {
  const hash = decode(location.hash.slice(1));
  const [, tag, operation] = /^\/([^/]+)(?:\/([^/]+))?$/.exec(hash) ?? [];
  const id = tag === undefined ? hash : idOf(tag, operation);
  if (tag !== undefined) widget?.open(tag, operation);
  if (assumptions.has(id) && document.getElementById(id)?.hidden) search.clear();
  requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView());
}

/** What no page wrote may stand there too. */
function decode(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return '';
  }
}

/** As the widget names its elements. */
const idOf = (tag: string, operation: string | undefined): string =>
  [operation === undefined ? 'operations-tag' : 'operations', tag.replaceAll(' ', '_'), operation]
    .filter((part) => part !== undefined)
    .join('-');

addEventListener('hashchange', goToHash);

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const href = link?.getAttribute('href');
  if (!href?.startsWith('#')) return;
  // The widget would open another window, or scroll below the header; and a link leads there each time.
  event.preventDefault();
  event.stopPropagation();
  if (location.hash === href) goToHash();
  else location.hash = href;
});
