/* An empty list: two buttons that make real calls. */

/** @jsxImportSource hono/jsx/dom */
import { buyPolicy, loseResponse, purchaseOf } from '../../layout/client/purchase.ts';
import { contract } from './contract.ts';
import { ActButton, UserText } from './parts.tsx';
import { chosenMerchant, openSent, useStore } from './store.ts';

export function FirstMinute() {
  const chosen = useStore(chosenMerchant);
  const first = useStore(({ merchants }) => merchants[0]);
  const merchant = chosen ?? first;
  const [family] = contract.families;
  if (!merchant || !family) return <section class="message" aria-label="Calls" />;
  const { api_key: key, name } = merchant;
  const run = (act: typeof buyPolicy) => async () =>
    openSent(await act(purchaseOf(contract, family.tag, key)));
  return (
    <section class="message" aria-label="Calls">
      <h2 class="title">No calls yet</h2>
      <p>See what a lost response does to a merchant, or send requests of your own.</p>
      <div class="actions start">
        <ActButton onClick={run(buyPolicy)}>Buy a policy</ActButton>
        <ActButton class="primary" onClick={run(loseResponse)}>
          Show me a lost response
        </ActButton>
      </div>
      <p class="muted">
        The second one buys a policy, loses the answer, tries again and is refused. Both send real
        calls with the key of <UserText text={name} />.
      </p>
    </section>
  );
}
