/* The tab of pending purchases, with the time that remains to verify each. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useState } from 'hono/jsx/dom';
import type { PendingPurchase } from '../../../public.ts';
import { momentText, remainingText, timeText, useShownTime } from './clock.tsx';
import { callAndTell, OpenPolicy } from './merchant-call.tsx';
import { attempt } from './merchants.ts';
import { ActButton, CopyButton, Table, Titles, UserText } from './parts.tsx';
import { nairaText } from './policy.ts';
import { type ShownProduct, useProducts } from './products.tsx';
import { contract, useStore } from './store.ts';
import { readCounts } from './world.ts';

export function PendingView() {
  const purchases = useStore((state) => state.purchases);
  const { isRead, shown } = useShownTime();
  const products = useProducts() ?? [];
  const [bought, setBought] = useState<Bought>(undefined);
  const lapsed = purchases?.filter(({ expires_at }) => Date.parse(expires_at) <= shown).length ?? 0;
  useLayoutEffect(() => {
    if (lapsed > 0) void readCounts();
  }, [lapsed]);
  if (!purchases || !isRead) return <section class="message" aria-busy="true" />;
  if (purchases.length === 0) {
    return (
      <section class="message">
        <h2 class="title" tabindex={-1}>
          No pending purchases
        </h2>
        <BoughtPolicy policy={bought} />
        <p class="muted">
          An initiate call adds one. It expires after {contract.tokenLifetimes} of this merchant's
          clock unless it is verified.
        </p>
      </section>
    );
  }
  return (
    <section class="sheet" aria-label="Pending purchases">
      <BoughtPolicy policy={bought} />
      <Table class="pending" head={<Titles titles={TITLES} />}>
        <tbody>
          {purchases.map((purchase) => (
            <PurchaseRow
              key={purchase.token}
              purchase={purchase}
              products={products}
              shown={shown}
              onBought={setBought}
            />
          ))}
        </tbody>
      </Table>
    </section>
  );
}

const TITLES = [
  ...['For', 'Product', 'Premium', 'Remaining', 'Token'],
  <span class="visually-hidden">Actions</span>,
];

type Bought = Awaited<ReturnType<typeof callAndTell>>;

/** The policy that was just bought, because its purchase is no longer in the list. */
const BoughtPolicy = ({ policy }: { policy: Bought }) =>
  policy ? (
    <p class="bought">
      The purchase is now a policy. <OpenPolicy {...policy} />
    </p>
  ) : null;

interface CellProps {
  purchase: PendingPurchase;
}

const familyOf = ({ operation }: PendingPurchase) =>
  contract.families.find(({ initiate }) => initiate === operation);

/** Who a purchase is for, of which family, and since when. */
export function HolderCell({ purchase }: CellProps) {
  const { operation, holder, initiated_at } = purchase;
  const initiated = Date.parse(initiated_at);
  return (
    <th scope="row">
      <UserText text={holder} />
      <small class="muted">
        {familyOf(purchase)?.tag ?? operation}, initiated{' '}
        <time datetime={initiated_at} title={momentText(initiated)}>
          {timeText(initiated)}
        </time>
      </small>
    </th>
  );
}

export const PremiumCell = ({ purchase: { premium } }: CellProps) => (
  <td>{premium === null ? <span class="muted">none</span> : nairaText(premium)}</td>
);

export const RemainingCell = ({ purchase, now }: CellProps & { now: number }) => (
  <td class="mono remaining">{remainingText(Date.parse(purchase.expires_at) - now)}</td>
);

/** The end of a token. The whole one can be copied. */
export const TokenCell = ({ purchase: { token } }: CellProps) => (
  <td>
    <span class="mono muted" title={token}>
      …{token.slice(-6)}
    </span>{' '}
    <CopyButton quiet text={token} label={`Copy the token ${token}`} />
  </td>
);

interface PurchaseRowProps extends CellProps {
  products: readonly ShownProduct[];
  shown: number;
  onBought: (policy: Bought) => void;
}

function PurchaseRow({ purchase, products, shown, onBought }: PurchaseRowProps) {
  const { token, product_id, holder } = purchase;
  const [busy, setBusy] = useState(false);
  const product = products.find(({ id }) => id === product_id)?.name ?? `product ${product_id}`;
  const start = async () => {
    setBusy(true);
    const path = familyOf(purchase)?.verifyPath ?? '';
    await attempt(async () => {
      onBought(await callAndTell('Verify', path, { token }, 'bought'));
    });
    setBusy(false);
  };
  return (
    <tr>
      <HolderCell purchase={purchase} />
      <td>
        <UserText text={product} />
      </td>
      <PremiumCell purchase={purchase} />
      <RemainingCell purchase={purchase} now={shown} />
      <TokenCell purchase={purchase} />
      <td>
        <ActButton class="primary" busy={busy} onClick={start}>
          Verify
          <span class="visually-hidden">
            {' '}
            the purchase of <UserText text={holder} />
          </span>
        </ActButton>
      </td>
    </tr>
  );
}
