/* The assumptions behind the response to a call, as chips. One opens its text. */

/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import type { AssumptionCount } from '../../../types/public.ts';
import { control } from './api.ts';
import { Button, UserText } from './parts.tsx';
import { getState } from './store.ts';

/** Cached, because the texts are the same for all merchants. */
let known: ReadonlyMap<string, AssumptionCount> | undefined;

export function Assumptions({ ids }: { ids: readonly string[] }) {
  const [open, setOpen] = useState<string | undefined>(undefined);
  const [, setLoaded] = useState(false);
  if (ids.length === 0) return null;
  const toggle = (id: string) => {
    setOpen(id === open ? undefined : id);
    const key = getState().merchants[0]?.api_key;
    if (known || key === undefined) return;
    const headers = { authorization: `Bearer ${key}` };
    control<{ data: AssumptionCount[] }>('assumptions', { headers })
      .then(({ data }) => {
        known = new Map(data.map((assumption) => [assumption.id, assumption]));
        setLoaded(true);
      })
      // The ids are shown anyway.
      .catch(() => {});
  };
  const text = open === undefined ? undefined : known?.get(open);
  return (
    <section aria-label="Assumptions behind this response">
      <h3>Assumptions</h3>
      <div class="chips">
        {ids.map((id) => (
          <Button key={id} aria-pressed={String(id === open)} onClick={() => toggle(id)}>
            <UserText text={id} />
          </Button>
        ))}
      </div>
      {text ? (
        <div class="assumption">
          <p>{withMarks(text.question)}</p>
          <p>{withMarks(text.decision)}</p>
          {text.setting === undefined ? null : (
            <p class="muted">
              The profile sets <code>{JSON.stringify(text.setting)}</code>.
            </p>
          )}
        </div>
      ) : null}
    </section>
  );
}

/** A text with `code` and *emphasis*. */
const withMarks = (text: string) =>
  text.split(/(`[^`]+`|\*\w+\*)/).map((part) => {
    const inner = part.slice(1, -1);
    if (part.startsWith('`') && inner) return <code>{inner}</code>;
    return part.startsWith('*') && inner ? <em>{inner}</em> : part;
  });
