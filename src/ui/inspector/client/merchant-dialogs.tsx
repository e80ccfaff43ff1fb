/* What the menu asks before it creates or changes a merchant. */

/** @jsxImportSource hono/jsx/dom */
import { admin, answerOf } from './api.ts';
import { attempt, dropMerchant, takeMerchant } from './merchants.ts';
import { Dialog, Field, sentence, UserText } from './parts.tsx';
import { type LoadedMerchant, notify } from './store.ts';
import { choose } from './world.ts';

export type Asked = 'create' | 'rotate' | 'remove';

interface MerchantDialogProps {
  asked: Asked;
  /** The chosen merchant. */
  merchant: LoadedMerchant | undefined;
  onClose: () => void;
}

export function MerchantDialog({ asked, merchant, onClose }: MerchantDialogProps) {
  if (asked === 'create') return <NewMerchantDialog onClose={onClose} />;
  if (!merchant) return null;
  if (asked === 'rotate') {
    return (
      <Dialog
        title={sentence`Rotate the key of ${merchant.name}?`}
        action="Rotate key"
        danger
        onSubmit={() => rotate(merchant).then(onClose)}
        onClose={onClose}
      >
        <p>
          The current key, <UserText class="mono" text={merchant.api_key} />, stops working at once.
          Records, clock and calls stay.
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={sentence`Remove ${merchant.name}?`}
      action="Remove"
      danger
      onSubmit={() => remove(merchant).then(onClose)}
      onClose={onClose}
    >
      <p>This deletes its records, clock and calls. Its key stops working.</p>
    </Dialog>
  );
}

const RECORDS = { none: 'none', demo: 'the demo records' };
const MODES = { '': 'as set at start', running: 'running', frozen: 'frozen' };

/** Asks how a new merchant starts. Every field has a default. */
function NewMerchantDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title="Create a merchant"
      action="Create"
      onSubmit={(fields) => create(fields, onClose)}
      onClose={onClose}
    >
      <Field label="Name" name="name" placeholder="Chosen by the sandbox" />
      <div class="fields">
        <Field label="Records" name="records" options={RECORDS} />
        <Field label="Clock" name="mode" options={MODES} />
        <Field label="Clock starts at (UTC)" name="now" type="datetime-local" step="1" />
        <Field
          label="Random seed"
          name="seed"
          type="number"
          min="0"
          step="1"
          placeholder="Chosen by the sandbox"
        />
      </div>
    </Dialog>
  );
}

const create = (fields: Record<string, string>, onCreated: () => void) =>
  attempt(async () => {
    const { name = '', records, mode, now, seed } = fields;
    const json = {
      records: records as 'none' | 'demo',
      ...(name.trim() && { name }),
      ...(mode && { mode: mode as 'running' | 'frozen' }),
      ...(now && { now: new Date(`${now}Z`).toISOString() }),
      ...(seed && { seed: Number(seed) }),
    };
    const created = await answerOf(admin.merchants.$post({ json }));
    onCreated();
    takeMerchant(created);
    choose(created.id);
    notify('ok', sentence`Created ${created.name} with the key ${created.api_key}.`);
  });

const rotate = ({ id, name }: LoadedMerchant) =>
  attempt(async () => {
    const param = { id: String(id) };
    const rotated = await answerOf(admin.merchants[':id'].rotate_key.$post({ param }));
    takeMerchant(rotated);
    notify('ok', sentence`Rotated the key of ${name}. New key: ${rotated.api_key}`);
  });

const remove = ({ id, name }: LoadedMerchant) =>
  attempt(async () => {
    await admin.merchants[':id'].$delete({ param: { id: String(id) } });
    dropMerchant(id);
    notify('ok', sentence`Removed ${name}.`);
  });
