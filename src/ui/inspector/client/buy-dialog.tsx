/* A form that buys a policy with the two calls of a merchant: initiate and verify. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useState } from 'hono/jsx/dom';
import { policyOf } from '../../layout/client/lost-call.ts';
import { useShownTime } from './clock.tsx';
import { callMerchantApi, problemsOf } from './outcome.ts';
import { Button, Dialog, Field, inputOf, Problems, sentence, UserText } from './parts.tsx';
import { withProduct } from './policy.ts';
import { useProducts } from './products.tsx';
import { contract, go, notify } from './store.ts';
import { readCounts } from './world.ts';

interface BuyDialogProps {
  /** The chosen family, and the product to begin with. */
  family: string;
  product?: number;
  onClose: () => void;
}

export function BuyDialog({ family: chosen, product, onClose }: BuyDialogProps) {
  const family = contract.families.find(({ key }) => key === chosen);
  const catalogue = useProducts();
  const products = catalogue?.filter((each) => each.family === chosen && each.enabled) ?? [];
  const { isRead, shown } = useShownTime();
  const [body, setBody] = useState(() => {
    // The cover begins today, so that it runs.
    const today = new Date(shown).toISOString().slice(0, 'yyyy-mm-dd'.length);
    const days = isRead ? (family?.dayFields ?? []).map((field) => [field, today]) : [];
    return pretty({ ...family?.sample, ...Object.fromEntries(days) });
  });
  const [failed, setFailed] = useState<Purchase | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const choose = (id: string) => {
    const chosen = products.find((each) => String(each.id) === id);
    const fields = parsed(body);
    if (chosen && fields) setBody(pretty(withProduct(fields, chosen)));
  };
  // The sample is of a product and a price that this World may not have.
  useLayoutEffect(() => {
    const isSold = products.some(({ id }) => String(id) === productIn(body));
    choose(
      product === undefined ? (isSold ? productIn(body) : String(products[0]?.id)) : `${product}`,
    );
  }, [catalogue === undefined]);
  if (!family) return null;
  const submit = async () => {
    setBusy(true);
    const { number, problems, call } = await buy(family, body);
    setBusy(false);
    // A second click would buy another policy.
    if (number === undefined) return setFailed({ number, problems, call });
    onClose();
    if (problems.length === 0) {
      notify('ok', sentence`Bought ${number}.`);
      go({ tab: 'records', family: chosen, policy: '', page: 1, record: number });
    } else {
      notify('bad', <UserText whole text={problems.join(' ')} />);
      go({ tab: 'calls', call });
    }
    await readCounts();
  };
  return (
    <Dialog
      title={sentence`Buy a policy: ${family.tag}`}
      action={busy ? 'Buying…' : 'Buy'}
      onSubmit={submit}
      onClose={onClose}
    >
      <p class="muted">
        Makes the two calls of your program with the key of this merchant:{' '}
        <span class="mono">{family.initiate}</span> starts the purchase and returns a token, and{' '}
        <span class="mono">{family.verify}</span> completes it.
      </p>
      {products.length > 0 ? (
        <Field
          label="Product"
          options={Object.fromEntries(products.map(({ id, name }) => [id, `${name} (${id})`]))}
          value={productIn(body)}
          onChange={(event: Event) => choose(inputOf(event))}
        />
      ) : null}
      <Field
        label="Body of the first call, as JSON"
        rows={14}
        class="mono"
        value={body}
        onInput={(event: Event) => setBody(inputOf(event))}
      />
      <Problems problems={failed?.problems ?? []} />
      {failed?.call ? (
        <p>
          <Button onClick={() => go({ tab: 'calls', call: failed.call })}>Open the call</Button>
        </p>
      ) : null}
    </Dialog>
  );
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as never) : undefined;
  } catch {
    return undefined;
  }
}

/** The product in a body, as a text; empty if the body is broken. */
const productIn = (body: string): string => String(parsed(body)?.product_id ?? '');

type Family = (typeof contract.families)[number];

/** What came of a purchase: the number of a policy, why it has none, and the last call. */
interface Purchase {
  readonly number: string | undefined;
  readonly problems: readonly string[];
  readonly call: string | undefined;
}

async function buy(family: Family, body: string): Promise<Purchase> {
  const initiated = await callMerchantApi('POST', family.initiatePath, body);
  const refused = problemsOf(initiated, 'bought');
  if (refused.length > 0) return { number: undefined, problems: refused, call: initiated.id };
  const { data } = JSON.parse(initiated.response?.text ?? '{}');
  const token = JSON.stringify({ token: data?.token });
  const verified = await callMerchantApi('POST', family.verifyPath, token);
  const policy = verified.entry && policyOf(verified.entry);
  return {
    number: policy?.number,
    problems: problemsOf(verified, 'bought'),
    call: verified.id,
  };
}
