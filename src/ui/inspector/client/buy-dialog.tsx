/* A form that buys a policy with the two calls of a merchant: initiate and verify. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useState } from 'hono/jsx/dom';
import { useShownTime } from './clock.tsx';
import { contract } from './contract.ts';
import { mistakeIn } from './editor.tsx';
import { isLost, isRefused, keyOf, memberOf } from './items.ts';
import { merchantCall } from './merchant-call.ts';
import { Dialog, Field, inputOf, sentence, UserText } from './parts.tsx';
import { withProduct } from './policy.ts';
import { useProducts } from './products.ts';
import { readCounts } from './session.ts';
import { go, notify, openPolicy } from './store.ts';
import { nairaText } from './times.ts';

export function BuyDialog({ family: chosen, onClose }: { family: string; onClose: () => void }) {
  const family = contract.families.find(({ key }) => key === chosen);
  const products = useProducts().filter((each) => each.family === chosen && each.enabled);
  const { shown } = useShownTime();
  const [body, setBody] = useState(() => {
    // The cover begins today, so that it runs.
    const today = new Date(shown).toISOString().slice(0, 'yyyy-mm-dd'.length);
    const days = (family?.dayFields ?? []).map((field) => [field, today]);
    return pretty({ ...family?.sample, ...Object.fromEntries(days) });
  });
  const mistake = mistakeIn(body);
  const productId = mistake === undefined ? String(memberOf(JSON.parse(body), 'product_id')) : '';
  const choose = (id: string | undefined) => {
    const product = products.find((each) => String(each.id) === id) ?? products[0];
    if (product && mistake === undefined) setBody(pretty(withProduct(JSON.parse(body), product)));
  };
  // The sample is of a product and a price that this World may not have.
  useLayoutEffect(() => choose(productId), [products.length]);
  if (!family) return null;
  const submit = async () => {
    if (mistake !== undefined) return;
    const initiated = await merchantCall(family.initiatePath, JSON.parse(body));
    const token = memberOf(initiated?.response?.body, 'data', 'token');
    const isStarted = initiated && !isRefused(initiated) && typeof token === 'string';
    const last = isStarted ? await merchantCall(family.verifyPath, { token }) : initiated;
    const policy = last?.changes.find(({ table }) => table.endsWith('.policies'));
    onClose();
    if (last && policy && !isLost(last)) {
      notify('ok', sentence`Bought ${policy.key}.`);
      openPolicy(chosen, policy.key);
    } else {
      notify('bad', 'The purchase was refused, or its response was lost.');
      if (last) go({ tab: 'calls', call: keyOf(last) });
    }
    await readCounts();
  };
  return (
    <Dialog
      title={sentence`Buy a policy: ${family.tag}`}
      action="Buy"
      onSubmit={submit}
      onClose={onClose}
    >
      <p class="muted">
        Sends <span class="mono">{family.initiate}</span>, then{' '}
        <span class="mono">{family.verify}</span> with its token.
      </p>
      {products.length > 0 ? (
        <Field
          label="Product"
          options={Object.fromEntries(
            products.map(({ id, name, premiums, rate }) => [
              id,
              `${name} (${id})${priceText(premiums?.[0], rate)}`,
            ]),
          )}
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
      <p class="bad" role="alert">
        <UserText text={mistake ?? ''} />
      </p>
    </Dialog>
  );
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** `, from ₦500 monthly`, or `, 5 % of the value` */
function priceText(premiums: { readonly monthly: number } | undefined, rate: unknown): string {
  if (premiums) return `, from ${nairaText(premiums.monthly)} monthly`;
  return typeof rate === 'number' ? `, ${Number((rate * 100).toFixed(4))} % of the value` : '';
}
