/* An empty list: two buttons that make real calls, and the command for a program of one's own. */

/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { buyPolicy, loseResponse } from '../../layout/client/first-minute.ts';
import { contract } from './contract.ts';
import { attempt } from './merchants.ts';
import { ActButton, CopyButton, UserText } from './parts.tsx';
import { chosenMerchant, go, notify, useStore } from './store.ts';

export function FirstMinute() {
  const chosen = useStore(chosenMerchant);
  const first = useStore(({ merchants }) => merchants[0]);
  const [busy, setBusy] = useState(false);
  const merchant = chosen ?? first;
  if (!merchant) return <section class="message first" aria-label="Calls" />;
  const key = merchant.api_key;
  const [family] = contract.families;
  const run = (act: typeof buyPolicy) => async () => {
    if (!family) return;
    setBusy(true);
    await attempt(async () => {
      const call = await act({ ...family, key, breaksConnections: contract.breaksConnections });
      if (call === undefined) notify('bad', 'The sandbox did not answer as expected.');
      else go({ call });
    });
    setBusy(false);
  };
  const command = `curl -H 'Authorization: Bearer ${key}' \\\n  '${location.origin}${contract.firstPath}'`;
  return (
    <section class="message first" aria-label="Calls">
      <h2 class="title">No calls yet</h2>
      <p>See what a lost response does to a merchant, or send requests of your own.</p>
      <div class="actions">
        <ActButton busy={busy} onClick={run(buyPolicy)}>
          Buy a policy
        </ActButton>
        <ActButton class="primary" busy={busy} onClick={run(loseResponse)}>
          Show me a lost response
        </ActButton>
      </div>
      <p class="muted">
        The second one buys a policy, loses the answer, tries again and is refused. Both send real
        calls with the key of <UserText text={merchant.name} />.
      </p>
      <div class="command">
        {/* Focusable, so that the keyboard can scroll it. */}
        <pre tabindex={0}>{command}</pre>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <p class="waiting muted">Waiting for the first call…</p>
    </section>
  );
}
