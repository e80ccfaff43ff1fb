/** @jsxImportSource hono/jsx/dom */
import { CopyButton } from './parts.tsx';
import { chosenMerchant, contract, useStore } from './store.ts';

/** What to do where nothing was called yet. */
export function FirstCall() {
  const merchant = useStore(chosenMerchant);
  if (!merchant) return null;
  const command = `curl -H 'Authorization: Bearer ${merchant.api_key}' \\\n  '${location.origin}${contract.firstPath}'`;
  return (
    <section class="message first" aria-label="Calls">
      <h2 class="title">No calls yet</h2>
      <p>
        Point your program at <code>{location.origin}</code> with the key of {merchant.name}, or
        paste this into a terminal:
      </p>
      <div class="command">
        {/* It scrolls where it is wider than the page, by keyboard too. */}
        <pre tabindex={0}>{command}</pre>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <p class="waiting muted">Waiting: the call shows here as it comes in.</p>
    </section>
  );
}
