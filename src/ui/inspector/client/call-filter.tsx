/** @jsxImportSource hono/jsx/dom */
import { type Address, SHOWN, type Shown } from './address.ts';
import { go } from './navigation.ts';
import { OperationOptions } from './operation-options.tsx';
import { inputOf } from './parts.tsx';

const NAMES: Readonly<Record<Shown, string>> = { all: 'All', refused: 'Refused', faults: 'Faults' };

const STATUSES = ['2', '4', '5', '400', '401', '404', '405', '413', '415', '422'];

/** What of the calls is shown. Typing makes no steps in the browser's history. */
export function CallFilter({ address }: { readonly address: Address }) {
  const { shown, search, operation, status } = address;
  const statuses = status && !STATUSES.includes(status) ? [...STATUSES, status] : STATUSES;
  return (
    <div class="filter">
      <input
        type="search"
        placeholder="Operation, field, token, policy number"
        aria-label="Search the calls"
        aria-keyshortcuts="/"
        value={search}
        onInput={(event: Event) => go({ search: inputOf(event) }, 'replace')}
        onKeyDown={leave}
      />
      <fieldset class="chips" aria-label="Which calls">
        {SHOWN.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={String(each === shown)}
            onClick={() => go({ shown: each })}
          >
            {NAMES[each]}
          </button>
        ))}
      </fieldset>
      <select
        aria-label="Operation"
        class={operation ? 'set' : ''}
        value={operation ?? ''}
        onChange={(event: Event) => go({ operation: inputOf(event) || undefined })}
      >
        <option value="">Any operation</option>
        <OperationOptions />
      </select>
      <select
        aria-label="Status"
        class={status ? 'set' : ''}
        value={status ?? ''}
        onChange={(event: Event) => go({ status: inputOf(event) || undefined })}
      >
        <option value="">Any status</option>
        {statuses.map((each) => (
          <option key={each} value={each}>
            {each.length === 1 ? `${each}xx` : each}
          </option>
        ))}
      </select>
    </div>
  );
}

/** From the search the list is one key away. */
function leave(event: KeyboardEvent): void {
  if (event.key === 'Escape' && inputOf(event) !== '') go({ search: '' }, 'replace');
  else if (event.key === 'ArrowDown' || event.key === 'Enter' || event.key === 'Escape') {
    document.querySelector<HTMLElement>('.list [role=listbox]')?.focus();
  } else return;
  event.preventDefault();
}
