/** @jsxImportSource hono/jsx/dom */
import { useEffect, useState } from 'hono/jsx/dom';
import { type Assumption, answerOf, asMerchant, control } from './api.ts';
import { assumptionsOf, type Call } from './call.ts';
import { chosenMerchant, useStore } from './store.ts';

/** The texts are the same for all merchants and as long as the sandbox runs. */
let known: ReadonlyMap<string, Assumption> | undefined;

/** The assumptions that an answer rested on, each with its text one click away. */
export function AssumptionList({ call }: { readonly call: Call }) {
  const merchant = useStore(chosenMerchant);
  const [texts, setTexts] = useState(known);
  const ids = assumptionsOf(call);
  useEffect(() => {
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
        <code>{id}</code>
      </summary>
      {assumption ? (
        <div>
          <p>{assumption.question}</p>
          <p>{assumption.decision}</p>
          <p class="muted">
            {assumption.basis === 'evidence' ? 'Taken from evidence.' : 'Taken by judgement.'}
            {assumption.setting === undefined
              ? ''
              : ` Set here to ${JSON.stringify(assumption.setting)}.`}
          </p>
        </div>
      ) : (
        <p class="muted">Its text could not be read.</p>
      )}
    </details>
  );
}
