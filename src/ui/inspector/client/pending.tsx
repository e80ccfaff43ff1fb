/* The tab of pending purchases, with the time that remains to verify each. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useState } from 'hono/jsx/dom';
import type { PendingPurchase } from '../../../public.ts';
import { callMerchantApi, problemsOfCall } from './api.ts';
import { momentText, remainingText, timeText, useShownTime } from './clock.tsx';
import { attempt } from './merchants.ts';
import { ActButton, CopyButton, UserText } from './parts.tsx';
import { contract, go, notify, useStore } from './store.ts';
import { readCounts } from './world.ts';

export function PendingView() {
  const purchases = useStore((state) => state.purchases);
  const { isRead, shown } = useShownTime();
  const lapsed = purchases?.filter(({ expires_at }) => Date.parse(expires_at) <= shown).length ?? 0;
  useLayoutEffect(() => {
    if (lapsed > 0) void readCounts();
  }, [lapsed]);
  if (!purchases || !isRead) return <section class="message" aria-busy="true" />;
  if (purchases.length === 0) {
    return (
      <section class="message">
        <h2 class="title">No pending purchases</h2>
        <p class="muted">
          An initiate call adds one. It expires after {contract.tokenLifetimes} of this merchant's
          clock unless it is verified.
        </p>
      </section>
    );
  }
  return (
    <section class="sheet" aria-label="Pending purchases">
      <div class="table-frame">
        <table class="pending">
          <thead>
            <tr>
              <th scope="col">Purchase</th>
              <th scope="col">Token</th>
              <th scope="col">Initiated</th>
              <th scope="col">Remaining</th>
              <th scope="col">
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {purchases.map((purchase) => (
              <PurchaseRow key={purchase.token} purchase={purchase} shown={shown} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function PurchaseRow({ purchase, shown }: { purchase: PendingPurchase; shown: number }) {
  const { operation, token, initiated_at, expires_at } = purchase;
  const [busy, setBusy] = useState(false);
  const initiated = Date.parse(initiated_at);
  const family = contract.families.find(({ initiate }) => initiate === operation);
  const start = async () => {
    setBusy(true);
    await attempt(() => verify(family?.verifyPath ?? '', token));
    setBusy(false);
  };
  return (
    <tr>
      <td>
        <b>{family?.tag ?? operation}</b>
        <small class="muted">{operation}</small>
      </td>
      <td>
        <UserText class="mono" text={token} />{' '}
        <CopyButton quiet text={token} label={`Copy the token ${token}`} />
      </td>
      <td>
        <time datetime={initiated_at} title={momentText(initiated)}>
          {timeText(initiated)}
        </time>
      </td>
      <td class="mono remaining">{remainingText(Date.parse(expires_at) - shown)}</td>
      <td>
        <ActButton class="primary" disabled={busy} onClick={start}>
          Verify
        </ActButton>
      </td>
    </tr>
  );
}

/** Completes a purchase with the call that a merchant would make. */
async function verify(path: string, token: string): Promise<void> {
  const response = await callMerchantApi('POST', path, JSON.stringify({ token }));
  const problems = await problemsOfCall(response);
  const isDone = problems.length === 0;
  const why = isDone ? 'the policy is bought.' : problems.join(' ');
  notify(
    isDone ? 'ok' : 'bad',
    <>
      Verify returned {response.status}: <UserText whole text={why} />
    </>,
  );
  const id = response.headers.get('sandbox-request-id');
  if (!isDone && id) go({ tab: 'calls', call: id });
  await readCounts();
}
