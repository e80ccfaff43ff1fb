/* The assumptions behind the response to a call. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useState } from 'hono/jsx/dom';
import type { AssumptionCount } from '../../../public.ts';
import { answerOf, bearer, control } from './api.ts';
import type { ListedCall } from './call.ts';
import { UserText } from './parts.tsx';
import { chosenMerchant, getState } from './store.ts';

/** Cached, because the texts are the same for all merchants. */
let known: ReadonlyMap<string, AssumptionCount> | undefined;

/** The assumptions behind a response. A click shows the text. */
export function Assumptions({ call }: { call: ListedCall }) {
  const [texts, setTexts] = useState(known);
  const ids = call.assumptions;
  useLayoutEffect(() => {
    const state = getState();
    const key = (chosenMerchant(state) ?? state.merchants[0])?.api_key;
    if (known || ids.length === 0 || key === undefined) return;
    answerOf(control.assumptions.$get({}, { headers: bearer(key) }))
      .then(({ data }) => {
        known = new Map(data.map((assumption) => [assumption.id, assumption]));
        setTexts(known);
      })
      // The ids are shown anyway.
      .catch(() => {});
  }, [call.id]);
  if (ids.length === 0) return null;
  return (
    <section aria-label="Assumptions behind this response">
      <h3>Assumptions behind this response</h3>
      {ids.map((id) => (
        <details key={id} class="assumption">
          <summary>
            <UserText class="mono" text={id} /> <span class="muted">{texts?.get(id)?.basis}</span>
          </summary>
          <AssumptionText assumption={texts?.get(id)} />
        </details>
      ))}
    </section>
  );
}

function AssumptionText({ assumption }: { assumption: AssumptionCount | undefined }) {
  if (!assumption) return <p class="muted">Could not load its text.</p>;
  const { question, decision, setting } = assumption;
  return (
    <div>
      <p>{withMarks(question)}</p>
      <p>{withMarks(decision)}</p>
      {setting === undefined ? null : (
        <p class="muted">
          The profile sets <code>{JSON.stringify(setting)}</code>.
        </p>
      )}
    </div>
  );
}

/** A text with `code` and *emphasis*. */
const withMarks = (text: string) =>
  text.split(/(`[^`]+`|\*\w+\*)/).map((part) => {
    const inner = part.slice(1, -1);
    if (part.startsWith('`') && inner) return <code>{inner}</code>;
    return part.startsWith('*') && inner ? <em>{inner}</em> : part;
  });
