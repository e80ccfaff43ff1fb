/* A form that buys a policy with the two calls of a merchant: initiate and verify. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useState } from 'hono/jsx/dom';
import { type CallError, callMerchantApi, problemsOfCall } from './api.ts';
import { Dialog, Field, inputOf, Problems, sentence } from './parts.tsx';
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
  const [body, setBody] = useState(pretty(family?.sample));
  const [problems, setProblems] = useState<readonly string[]>([]);
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
    const bought = await buy(family, body);
    setBusy(false);
    if ('problems' in bought) return setProblems(bought.problems);
    onClose();
    notify('ok', sentence`Bought ${bought.number}.`);
    go({ tab: 'records', family: chosen, policy: '', page: 1, record: bought.number });
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
        Sends {family.initiate} and {family.verify} with the key of this merchant.
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
        label="Body"
        rows={14}
        class="mono"
        value={body}
        onInput={(event: Event) => setBody(inputOf(event))}
      />
      <Problems problems={problems} />
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
interface Refused {
  readonly problems: readonly string[];
}
type Bought = { readonly number: string } | Refused;

async function buy(family: Family, body: string): Promise<Bought> {
  try {
    const initiated = await call(family.initiatePath, body);
    if ('problems' in initiated) return initiated;
    const { token } = initiated.data;
    const verified = await call(family.verifyPath, JSON.stringify({ token }));
    if ('problems' in verified) return verified;
    const { policy_number, policy_no } = verified.data;
    return { number: String(policy_number ?? policy_no) };
  } catch (error) {
    return { problems: [`${(error as CallError).message}. The calls are in the list.`] };
  }
}

/** The data of a success, or why the call was refused. */
async function call(
  path: string,
  body: string,
): Promise<{ readonly data: Readonly<Record<string, unknown>> } | Refused> {
  const response = await callMerchantApi('POST', path, body);
  const problems = await problemsOfCall(response);
  return problems.length > 0 ? { problems } : response.json();
}
