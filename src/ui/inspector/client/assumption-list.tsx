/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useState } from 'hono/jsx/dom';
import { type Assumption, answerOf, asMerchant, control } from './api.ts';
import { assumptionsOf, type Call } from './call.ts';
import { chosenMerchant, useStore } from './store.ts';
import { UserText } from './user-text.tsx';

/** The texts are the same for all merchants and as long as the sandbox runs. */
let known: ReadonlyMap<string, Assumption> | undefined;

/** The assumptions that an answer rested on, each with its text one click away. */
export function AssumptionList({ call }: { readonly call: Call }) {
  const merchant = useStore(chosenMerchant);
  const [texts, setTexts] = useState(known);
  const ids = assumptionsOf(call);
  useLayoutEffect(() => {
    if (known || !merchant || ids.length === 0) return;
    answerOf(control.assumptions.$get({}, asMerchant(merchant)))
      .then(({ data }) => {
        known = new Map(data.map((assumption) => [assumption.id, assumption]));
        setTexts(known);
      })
      // The ids stand there all the same.
      .catch(() => {});
  }, [call.id]);
  if (ids.length === 0) return null;
  return (
    <section aria-label="Assumptions behind this answer">
      <h3>Assumptions behind this answer</h3>
      {ids.map((id) => (
        <AssumptionText key={id} id={id} assumption={texts?.get(id)} />
      ))}
    </section>
  );
}

function AssumptionText({
  id,
  assumption,
}: {
  readonly id: string;
  readonly assumption: Assumption | undefined;
}) {
  return (
    <details class="assumption">
      <summary>
        <code>
          <UserText text={id} />
        </code>{' '}
        <span class="muted">{assumption?.basis}</span>
      </summary>
      {assumption ? (
        <div>
          <p>
            <Marked text={assumption.question} />
          </p>
          <p>
            <Marked text={assumption.decision} />
          </p>
          {assumption.setting === undefined ? null : (
            <p class="muted">
              Set here to <code>{JSON.stringify(assumption.setting)}</code>.
            </p>
          )}
        </div>
      ) : (
        <p class="muted">Its text could not be read.</p>
      )}
    </details>
  );
}

/** A text of the ledger, in which `code` and *words* are marked. */
const Marked = ({ text }: { readonly text: string }) =>
  text.split(/(`[^`]+`|\*\w+\*)/).map((part) => {
    const inner = part.slice(1, -1);
    if (part.startsWith('`') && inner) return <code>{inner}</code>;
    return part.startsWith('*') && inner ? <em>{inner}</em> : part;
  });
