/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { answerOf, asAdmin, control } from './api.ts';
import { attempt, takeMerchant } from './merchants.ts';
import { Dialog, Field, inputOf } from './parts.tsx';
import { notify } from './store.ts';
import { UserText } from './user-text.tsx';
import { choose } from './world.ts';

/** Asks how a merchant is to begin; everything has a default. */
export function NewMerchantDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [records, setRecords] = useState<'none' | 'demo'>('none');
  const [mode, setMode] = useState<'' | 'running' | 'frozen'>('');
  const [now, setNow] = useState('');
  const [seed, setSeed] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    const json = {
      records,
      ...(name.trim() !== '' && { name }),
      ...(mode !== '' && { mode }),
      ...(now !== '' && { now: new Date(`${now}Z`).toISOString() }),
      ...(seed !== '' && { seed: Number(seed) }),
    };
    const created = await attempt(answerOf(control.merchants.$post({ json }, asAdmin())));
    if (!created) return;
    onClose();
    takeMerchant(created);
    choose(created.id);
    notify(
      'ok',
      <>
        <UserText text={created.name} /> is there, with the key <UserText text={created.api_key} />.
      </>,
    );
  };
  return (
    <Dialog title="New merchant" onClose={onClose}>
      <form onSubmit={submit}>
        <Field label="Name">
          <input
            value={name}
            placeholder="Given by the sandbox"
            onInput={(event: Event) => setName(inputOf(event))}
          />
        </Field>
        <div class="fields">
          <Field label="Records">
            <select
              value={records}
              onChange={(event: Event) => setRecords(inputOf(event) as 'none' | 'demo')}
            >
              <option value="none">none</option>
              <option value="demo">the demo population</option>
            </select>
          </Field>
          <Field label="Clock">
            <select
              value={mode}
              onChange={(event: Event) => setMode(inputOf(event) as '' | 'running' | 'frozen')}
            >
              <option value="">as the sandbox was started</option>
              <option value="running">running</option>
              <option value="frozen">frozen</option>
            </select>
          </Field>
          <Field label="Clock starts at (UTC)">
            <input
              type="datetime-local"
              step="1"
              value={now}
              onInput={(event: Event) => setNow(inputOf(event))}
            />
          </Field>
          <Field label="Seed of its chance">
            <input
              type="number"
              min="0"
              step="1"
              value={seed}
              placeholder="Given by the sandbox"
              onInput={(event: Event) => setSeed(inputOf(event))}
            />
          </Field>
        </div>
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}
