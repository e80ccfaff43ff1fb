/* The tab of pending purchases, with the time that remains to verify each. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect } from 'hono/jsx/dom';
import type { PendingPurchase } from '../../../types/public.ts';
import { sendCall } from '../../layout/client/purchase.ts';
import { useAnswer } from './answers.ts';
import { useShownTime } from './clock.tsx';
import { contract, operationOf } from './contract.ts';
import { isCall, keyOf } from './items.ts';
import { ActButton, Button, CopyButton, Table, UserText } from './parts.tsx';
import { readChosen } from './session.ts';
import { go, keyFor, openSent, useStore } from './store.ts';
import { nairaText, remainingText, timeText } from './times.ts';

export function PendingView() {
  const purchases = useAnswer<{ data: PendingPurchase[] }>('purchases')?.data;
  const shown = useShownTime();
  const lapsed = purchases?.filter(({ expires_at }) => Date.parse(expires_at) <= shown).length ?? 0;
  useLayoutEffect(() => {
    if (lapsed > 0) void readChosen();
  }, [lapsed]);
  if (!purchases) return <section class="message" aria-busy="true" />;
  if (purchases.length === 0) {
    return (
      <section class="message">
        <h2 class="title">No pending purchases</h2>
        <p class="muted">
          An initiate call adds one. It expires by this merchant's clock unless it is verified.
        </p>
      </section>
    );
  }
  return (
    <section class="sheet" aria-label="Pending purchases">
      <Table class="pending" titles={['For', 'Premium', 'Remaining', 'Token', 'Calls']}>
        {purchases.map((purchase) => (
          <Row key={purchase.token} purchase={purchase} now={shown} />
        ))}
      </Table>
    </section>
  );
}

function Row({ purchase, now }: { purchase: PendingPurchase; now: number }) {
  const { operation, token, holder, premium, initiated_at, expires_at } = purchase;
  const items = useStore((state) => state.items) ?? [];
  const tag = contract.operations.find(({ operationId }) => operationId === operation)?.tag;
  const initiate = items
    .filter(isCall)
    .find(({ changes }) => changes.some(({ key, change }) => key === token && change === 'added'));
  const verify = async () =>
    openSent((await sendCall(keyFor(), operationOf(tag, 'verify')?.path ?? '', { token })).id);
  return (
    <tr>
      <th scope="row">
        <UserText text={holder} />
        <small class="muted">
          {tag}, initiated {timeText(Date.parse(initiated_at))} UTC
        </small>
      </th>
      <td>{premium === null ? <span class="muted">none</span> : nairaText(premium)}</td>
      <td class="mono number">{remainingText(Date.parse(expires_at) - now)}</td>
      <td>
        <CopyButton text={token} label={`Copy the token …${token.slice(-6)}`}>
          <span class="mono" title={token}>
            …{token.slice(-6)}
          </span>
        </CopyButton>
      </td>
      <td class="actions">
        {initiate ? (
          <Button class="quiet" onClick={() => go({ tab: 'calls', call: keyOf(initiate) })}>
            Initiate
          </Button>
        ) : null}
        <ActButton class="primary" onClick={verify}>
          Verify<span class="visually-hidden"> the purchase of {holder}</span>
        </ActButton>
      </td>
    </tr>
  );
}
