/** What a search has left: the ids of operations, or undefined where nothing is searched for. */
export type Found = ReadonlySet<string> | undefined;

/** Searches the contents and the assumptions as a person types, and tells which operations are left. */
export function startSearch(whenSearched: (found: Found) => void): { clear(): void } {
  const input = document.querySelector<HTMLInputElement>('#search');
  if (!input) return { clear() {} };
  const search = () => {
    const terms = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const operations = filterOperations(terms);
    const rows = filterRows(terms);
    document.body.classList.toggle('searching', terms.length > 0);
    tell(terms.length === 0 ? '' : counted(operations.size, rows));
    whenSearched(terms.length === 0 ? undefined : operations);
  };
  const clear = () => {
    if (input.value === '') return;
    input.value = '';
    search();
  };
  input.addEventListener('input', search);
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.select();
    }
    if (event.key === 'Escape' && event.target === input) clear();
  });
  return { clear };
}

/** Hides what does not have every term, and says of the rest which field has one that nothing else has. */
function filterOperations(terms: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const item of document.querySelectorAll<HTMLElement>('[data-operation]')) {
    const words = item.dataset.words?.toLowerCase() ?? '';
    const hint = item.querySelector<HTMLElement>('[data-fields]');
    const fields = hint?.dataset.fields?.split(' ') ?? [];
    const hits = terms.map((term) =>
      words.includes(term) ? '' : fields.find((field) => field.toLowerCase().includes(term)),
    );
    item.hidden = hits.includes(undefined);
    if (hint) hint.textContent = item.hidden ? '' : [...new Set(hits)].filter(Boolean).join(' ');
    if (!item.hidden) found.add(item.dataset.operation ?? '');
  }
  for (const section of document.querySelectorAll<HTMLElement>('nav section:has(li)')) {
    section.hidden = section.querySelector('li:not([hidden])') === null;
  }
  return found;
}

function filterRows(terms: readonly string[]): number {
  let rows = 0;
  for (const row of document.querySelectorAll<HTMLElement>('#suppositions tbody tr')) {
    const text = row.textContent?.toLowerCase() ?? '';
    row.hidden = !terms.every((term) => text.includes(term));
    if (!row.hidden) rows += 1;
  }
  const section = document.querySelector<HTMLElement>('#suppositions');
  if (section) section.hidden = rows === 0;
  return rows;
}

const counted = (operations: number, assumptions: number): string =>
  `${plural(operations, 'operation')}, ${plural(assumptions, 'assumption')}`;

const plural = (count: number, what: string): string =>
  `${count === 0 ? 'no' : count} ${what}${count === 1 ? '' : 's'}`;

function tell(text: string): void {
  const found = document.querySelector('#found');
  if (found) found.textContent = text;
}
