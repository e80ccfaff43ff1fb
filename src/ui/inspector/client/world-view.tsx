/** @jsxImportSource hono/jsx/dom */
import { useRef, useState } from 'hono/jsx/dom';
import { answerOf, arrived, asMerchant, type CallError, control, refusalOf } from './api.ts';
import { attempt } from './merchants.ts';
import { Confirm } from './parts.tsx';
import { chosenMerchant, contract, type Merchant, notify, setState, useStore } from './store.ts';
import { UserText } from './user-text.tsx';
import { readWorld } from './world.ts';

/** The World as a whole: how much it holds, begun anew, taken out, put back. */
export function WorldView() {
  const merchant = useStore(chosenMerchant) as Merchant;
  const [asked, ask] = useState<'reset' | 'clear' | undefined>(undefined);
  const [refusal, setRefusal] = useState<CallError | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const close = () => ask(undefined);
  const upload = async () => {
    const [file] = input.current?.files ?? [];
    if (!file) return;
    setRefusal(await putBack(merchant, file));
    if (input.current) input.current.value = '';
  };
  return (
    <div class="sheet two">
      <section aria-label="What it holds">
        <h2>What it holds</h2>
        <Counts />
      </section>
      <section aria-label="What can be done with it">
        <h2>Snapshot</h2>
        <p>The whole World as one document: records, clock, pending purchases, faults, calls.</p>
        <div class="actions">
          <button type="button" onClick={() => attempt(download(merchant))}>
            Download
          </button>
          <label class="button">
            Upload…
            <input
              ref={input}
              class="unseen"
              type="file"
              accept="application/json,.json"
              onChange={upload}
            />
          </label>
        </div>
        {refusal ? <Refusal refusal={refusal} /> : null}
        <h2>Reset</h2>
        <p>The World becomes what the fixtures made it.</p>
        <div class="actions">
          <button type="button" class="danger" onClick={() => ask('reset')}>
            Reset the World…
          </button>
          <button type="button" onClick={() => ask('clear')}>
            Clear the calls…
          </button>
        </div>
      </section>
      {asked === 'reset' ? (
        <Confirm
          title={
            <>
              Reset the World of <UserText text={merchant.name} />?
            </>
          }
          action="Reset"
          onClose={close}
          onConfirm={() => reset(merchant)}
        >
          What was bought since, the clock, faults and calls are gone; what the fixtures made is
          back.
        </Confirm>
      ) : null}
      {asked === 'clear' ? (
        <Confirm
          title={
            <>
              Clear the calls of <UserText text={merchant.name} />?
            </>
          }
          action="Clear"
          onClose={close}
          onConfirm={() => clear(merchant)}
        >
          Its journal is emptied. Everything else stays as it is.
        </Confirm>
      ) : null}
    </div>
  );
}

function Counts() {
  const policies = useStore((state) => state.policies);
  const purchases = useStore((state) => state.purchases);
  const faults = useStore((state) => state.faults);
  const calls = useStore((state) => state.calls);
  const own = calls?.filter(({ merchant }) => merchant !== null).length;
  const counts: [string, number | undefined][] = [
    ...contract.families.map(({ key, tag }): [string, number | undefined] => [
      `${tag} policies`,
      policies[key],
    ]),
    ['Pending purchases', purchases?.length],
    ['Faults', faults?.length],
    ['Calls kept', own],
  ];
  return (
    <dl class="counts">
      {counts.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="mono">{count ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

const MAX_PLACES = 100;

function Refusal({ refusal }: { readonly refusal: CallError }) {
  const { message, places } = refusal;
  return (
    <div class="refusal" role="alert">
      <p>The snapshot was refused, and nothing changed.</p>
      <ul>
        {(places.length > 0 ? places : [message]).slice(0, MAX_PLACES).map((place) => (
          <li class="mono">
            <UserText whole text={place} />
          </li>
        ))}
      </ul>
    </div>
  );
}

async function download(merchant: Merchant): Promise<void> {
  const response = await arrived(control.snapshot.$get({}, asMerchant(merchant)));
  if (!response.ok) throw await refusalOf(response as unknown as Response);
  const address = URL.createObjectURL(await (response as unknown as Response).blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `world-${merchant.id}.json`;
  link.click();
  URL.revokeObjectURL(address);
}

/** Puts a World back as a file has it; what the sandbox has against it otherwise. */
async function putBack(merchant: Merchant, file: File): Promise<CallError | undefined> {
  const { headers } = asMerchant(merchant);
  const sent = fetch(control.snapshot.$url(), {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: file,
  });
  try {
    const response = await arrived(sent);
    if (!response.ok) return await refusalOf(response);
  } catch (error) {
    return error as CallError;
  }
  notify(
    'ok',
    <>
      The World is what <UserText text={file.name} /> has.
    </>,
  );
  setState({ calls: undefined });
  await readWorld();
  return undefined;
}

async function reset(merchant: Merchant): Promise<void> {
  const done = await attempt(answerOf(control.reset.$post({}, asMerchant(merchant))));
  if (!done) return;
  notify('ok', 'The World is as the fixtures made it.');
  setState({ calls: undefined });
  await readWorld();
}

async function clear(merchant: Merchant): Promise<void> {
  const cleared = answerOf(control.journal.$delete({}, asMerchant(merchant))).then(() => true);
  if (!(await attempt(cleared))) return;
  notify('ok', 'The calls are cleared.');
  setState({ calls: undefined });
  await readWorld();
}
