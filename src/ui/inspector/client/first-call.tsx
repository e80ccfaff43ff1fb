/** @jsxImportSource hono/jsx/dom */
import { CopyButton } from './parts.tsx';
import { chosenMerchant, contract, useStore } from './store.ts';
import { UserText } from './user-text.tsx';

/** What to know of calls where the Worlds are spread: those without a key are in the journal of none. */
export const KeylessNote = () =>
  contract.isSpread ? (
    <p class="muted">A call without a valid key is not shown: no merchant has it in its journal.</p>
  ) : null;

/** What to do where nothing was called yet. */
export function FirstCall() {
  const merchant = useStore(chosenMerchant);
  if (!merchant) return null;
  const command = `curl -H 'Authorization: Bearer ${merchant.api_key}' \\\n  '${location.origin}${contract.firstPath}'`;
  return (
    <section class="message first" aria-label="Calls">
      <h2 class="title">No calls yet</h2>
      <p>
        Point your program at <code>{location.origin}</code> with the key of{' '}
        <UserText text={merchant.name} />, or paste this into a terminal:
      </p>
      <div class="command">
        {/* It scrolls where it is wider than the page, by keyboard too. */}
        <pre tabindex={0}>{command}</pre>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <p class="waiting muted">Waiting: the call shows here as it comes in.</p>
      <KeylessNote />
    </section>
  );
}
