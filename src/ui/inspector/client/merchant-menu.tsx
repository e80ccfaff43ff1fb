/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom';
import { answerOf, asAdmin, control } from './api.ts';
import { type Asked, MerchantChooser } from './merchant-chooser.tsx';
import { attempt, dropMerchant, takeMerchant } from './merchants.ts';
import { NewMerchantDialog } from './new-merchant.tsx';
import { Confirm, CopyButton } from './parts.tsx';
import { chosenMerchant, type Merchant, notify, useStore } from './store.ts';
import { UserText } from './user-text.tsx';
import { choose } from './world.ts';

/** Whose World is looked at: its key, and the others to choose from. */
export function MerchantMenu() {
  const merchant = useStore(chosenMerchant);
  const [isOpen, setOpen] = useState(false);
  const [asked, ask] = useState<Asked>(undefined);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const leave = (event: Event) => {
      if (!place.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, [isOpen]);
  const then = (next: Asked) => () => {
    setOpen(false);
    ask(next);
  };
  const closeAsked = () => ask(undefined);
  return (
    <div class="merchant" ref={place}>
      <button
        type="button"
        class="quiet name"
        aria-haspopup="dialog"
        aria-expanded={String(isOpen)}
        aria-label={`Merchant: ${merchant?.name ?? 'No merchant'}. Choose another`}
        onClick={() => setOpen(!isOpen)}
      >
        <b>
          <UserText text={merchant?.name ?? 'No merchant'} />
        </b>
        <span class="chevron" aria-hidden="true" />
      </button>
      {merchant ? <UserText class="mono muted key" text={merchant.api_key} /> : null}
      {merchant ? <CopyButton quiet text={merchant.api_key} label="Copy the key" /> : null}
      {isOpen ? (
        <MerchantChooser
          chosen={merchant}
          onChosen={(id) => {
            setOpen(false);
            choose(id);
          }}
          onClose={() => {
            setOpen(false);
            place.current?.querySelector('button')?.focus();
          }}
          onAsk={then}
        />
      ) : null}
      {asked === 'create' ? <NewMerchantDialog onClose={closeAsked} /> : null}
      {merchant && asked === 'rotate' ? (
        <Confirm
          title={
            <>
              Give <UserText text={merchant.name} /> a new key?
            </>
          }
          action="Give a new key"
          onClose={closeAsked}
          onConfirm={() => rotate(merchant)}
        >
          The old one,{' '}
          <code>
            <UserText text={merchant.api_key} />
          </code>
          , is blocked at once. The World stays as it is.
        </Confirm>
      ) : null}
      {merchant && asked === 'remove' ? (
        <Confirm
          title={
            <>
              Remove <UserText text={merchant.name} />?
            </>
          }
          action="Remove"
          onClose={closeAsked}
          onConfirm={() => remove(merchant)}
        >
          Its World goes with it: records, clock, calls. Its key is unknown from then on.
        </Confirm>
      ) : null}
    </div>
  );
}

async function rotate({ id, name }: Merchant): Promise<void> {
  const param = { id: String(id) };
  const rotated = await attempt(
    answerOf(control.merchants[':id'].rotate_key.$post({ param }, asAdmin())),
  );
  if (!rotated) return;
  takeMerchant(rotated);
  notify(
    'ok',
    <>
      <UserText text={name} /> has a new key: <UserText text={rotated.api_key} />
    </>,
  );
}

async function remove({ id, name }: Merchant): Promise<void> {
  const param = { id: String(id) };
  const done = await attempt(
    answerOf(control.merchants[':id'].$delete({ param }, asAdmin())).then(() => true),
  );
  if (!done) return;
  dropMerchant(id);
  notify(
    'ok',
    <>
      <UserText text={name} /> was removed.
    </>,
  );
}
