/* The menu of the World: save points, snapshot files and reset. */

/** @jsxImportSource hono/jsx/dom */
import { useRef, useState } from 'hono/jsx/dom';
import { control } from './api.ts';
import { useShownTime } from './clock.tsx';
import { Menu } from './menu.tsx';
import { Dialog, Field, sentence } from './parts.tsx';
import { download, goBackTo, putFile, replaceWorld, savePoint } from './save-points.ts';
import { chosenMerchant, isServerAway, useStore } from './store.ts';
import { momentText } from './times.ts';

export function WorldMenu() {
  const merchant = useStore(chosenMerchant);
  const points = useStore((state) => state.savePoints).filter(
    (point) => point.merchant === merchant?.id,
  );
  const isAway = useStore(isServerAway);
  const [isNaming, setNaming] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const choose = () => {
    const file = input.current?.files?.[0];
    if (file) void putFile(file);
    // Otherwise the same file could not be chosen again.
    if (input.current) input.current.value = '';
  };
  const reset = () =>
    replaceWorld('before the reset', 'The World is as it was when the merchant was new.', () =>
      control('reset', { method: 'POST' }),
    );
  return (
    <>
      <Menu
        label="World"
        isDisabled={isAway}
        items={[
          { label: 'Save this World…', hint: 'to go back to it later', act: () => setNaming(true) },
          ...points.map((point) => ({
            label: sentence`Back to ${point.name}`,
            act: () => goBackTo(point),
          })),
          { label: 'Download as a file', act: download },
          { label: 'Restore a file…', act: () => input.current?.click() },
          { label: 'Reset', hint: 'as the merchant began', act: reset },
        ]}
      />
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        tabindex={-1}
        aria-label="Snapshot file"
        accept="application/json,.json"
        onChange={choose}
      />
      {isNaming ? <NameDialog onClose={() => setNaming(false)} /> : null}
    </>
  );
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
