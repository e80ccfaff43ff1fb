/* The menu of the World: save points, snapshot files and reset. */

/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { control } from './api.ts';
import { useShownTime } from './clock.tsx';
import { Menu } from './menu.tsx';
import { Dialog, Field, sentence } from './parts.tsx';
import { download, replaceWorld, restoreWorld, savePoint } from './save-points.ts';
import { chosenMerchant, isServerAway, useStore } from './store.ts';
import { momentText } from './times.ts';

export function WorldMenu() {
  const merchant = useStore(chosenMerchant);
  const points = useStore((state) => state.savePoints).filter(
    (point) => point.merchant === merchant?.id,
  );
  const isAway = useStore(isServerAway);
  const [isNaming, setNaming] = useState(false);
  const reset = () =>
    replaceWorld(
      merchant?.id,
      'before the reset',
      'The World is as it was when the merchant was new.',
      () => control('reset', { method: 'POST' }),
    );
  return (
    // One element: Hono moves several when their component updates, which closes a menu or dialog.
    <div class="world">
      <Menu
        label="World"
        isDisabled={isAway}
        items={[
          { label: 'Save this World…', hint: 'to go back to it later', act: () => setNaming(true) },
          ...points.map((point) => ({
            label: sentence`Back to ${point.name}`,
            act: () => restoreWorld(point),
          })),
          { label: 'Download as a file', act: download },
          { label: 'Restore a file…', act: () => restoreFile(merchant?.id) },
          { label: 'Reset', hint: 'as the merchant began', act: reset },
        ]}
      />
      {isNaming ? <NameDialog onClose={() => setNaming(false)} /> : null}
    </div>
  );
}

function restoreFile(merchant: number | undefined): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = 'application/json,.json';
  input.onchange = () => {
    const file = input.files?.[0];
    if (file) void restoreWorld({ name: file.name, merchant, snapshot: file });
  };
  input.click();
}

function NameDialog({ onClose }: { onClose: () => void }) {
  const [opened] = useState(useShownTime());
  const submit = ({ name = '' }: Record<string, string>) => savePoint(name.trim() || 'here');
  return (
    <Dialog title="Save this World" action="Save" onSubmit={submit} onClose={onClose}>
      <Field
        label="Name"
        hint="This page keeps it until it closes. Download it to keep it longer."
        name="name"
        value={momentText(opened)}
        maxlength={80}
        required
      />
    </Dialog>
  );
}
