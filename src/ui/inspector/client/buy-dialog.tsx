/* A form that buys a policy with the two calls of a merchant: initiate and verify. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useState } from 'hono/jsx/dom';
import type { Product } from '../../../types/public.ts';
import { buyPolicy, purchaseOf } from '../../layout/client/purchase.ts';
import { useAnswer } from './answers.ts';
import { useShownTime } from './clock.tsx';
import { contract, operationOf } from './contract.ts';
import { mistakeIn, pretty } from './editor.tsx';
import { memberOf } from './items.ts';
import { Dialog, Field, inputOf, sentence } from './parts.tsx';
import { withProduct } from './policy.ts';
import { keyFor, openSent } from './store.ts';

export function BuyDialog({ family: chosen, onClose }: { family: string; onClose: () => void }) {
  const family = contract.families.find(({ key }) => key === chosen);
  const all = useAnswer<{ data: Product[] }>('products')?.data ?? [];
  const products = all.filter((each) => each.family === chosen && each.enabled);
  const shown = useShownTime();
  const [body, setBody] = useState(() => {
    // The cover begins today, so that it runs.
    const today = new Date(shown).toISOString().slice(0, 'yyyy-mm-dd'.length);
    const days = (family?.dayFields ?? []).map((field) => [field, today]);
    return pretty({ ...operationOf(family?.tag, 'initiate')?.sample, ...Object.fromEntries(days) });
  });
  const sample = mistakeIn(body) === undefined ? JSON.parse(body) : undefined;
  const productId = String(memberOf(sample, 'product_id'));
  const choose = (id: string) => {
    const product = products.find((each) => String(each.id) === id) ?? products[0];
    if (product && sample) setBody(pretty(withProduct(sample, product)));
  };
  // The sample is of a product and a price that this World may not have.
  useLayoutEffect(() => choose(productId), [products.length]);
  if (!family) return null;
  const submit = async () => {
    if (!sample) throw new Error(mistakeIn(body));
    openSent(await buyPolicy({ ...purchaseOf(contract, family.tag, keyFor()), sample }));
  };
  return (
    <Dialog
      title={sentence`Buy a policy: ${family.tag}`}
      action="Buy"
      onSubmit={submit}
      onClose={onClose}
    >
      <p class="muted">
        Sends <span class="mono">{operationOf(family.tag, 'initiate')?.operationId}</span>, then{' '}
        <span class="mono">{operationOf(family.tag, 'verify')?.operationId}</span> with its token.
      </p>
      {products.length > 0 ? (
        <Field
          label="Product"
          options={Object.fromEntries(products.map(({ id, name }) => [id, `${name} (${id})`]))}
          value={productId}
          onChange={(event: Event) => choose(inputOf(event))}
        />
      ) : null}
      <Field
        label="Body of the first call"
        rows={14}
        class="mono"
        value={body}
        onInput={(event: Event) => setBody(inputOf(event))}
      />
    </Dialog>
  );
}
