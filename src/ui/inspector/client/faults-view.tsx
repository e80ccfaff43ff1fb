/** @jsxImportSource hono/jsx/dom */
import { answerOf, asMerchant, control, type FaultRule } from './api.ts';
import { FaultForm } from './fault-form.tsx';
import { JsonView } from './json-view.tsx';
import { attempt } from './merchants.ts';
import { chosenMerchant, getState, useStore } from './store.ts';
import { UserText } from './user-text.tsx';
import { readCounts } from './world.ts';

/** The faults that are set, and one more to set. */
export function FaultsView() {
  const faults = useStore((state) => state.faults);
  return (
    <div class="sheet two">
      <section aria-label="Faults that are set">
        <div class="section-head">
          <h2>Set</h2>
          {faults && faults.length > 1 ? (
            <button type="button" class="quiet danger" onClick={clear}>
              Remove all
            </button>
          ) : null}
        </div>
        {faults?.length === 0 ? (
          <p class="nothing muted">No fault is set: every call is answered as the service would.</p>
        ) : null}
        <ul class="cards">
          {(faults ?? []).map((fault) => (
            <FaultCard key={fault.id} fault={fault} />
          ))}
        </ul>
      </section>
      <section aria-label="Add a fault">
        <h2>Add</h2>
        <FaultForm />
      </section>
    </div>
  );
}

function FaultCard({ fault }: { readonly fault: FaultRule }) {
  const { id, match, stage, effect, times, probability } = fault;
  return (
    <li class="card">
      <div>
        <b>{match.operation ?? 'Any call'}</b>{' '}
        <span class="tag">
          {stage} · {describeEffect(effect)}
        </span>
        <small class="muted">
          {times === 1 ? 'once' : `${times} times`}
          {probability < 1 ? `, with a probability of ${probability}` : ''}
          {' · '}
          <UserText text={id} />
          {match.body ? ', where the body has' : ''}
        </small>
        {match.body ? <JsonView value={match.body} /> : null}
        {effect.kind === 'respond' && (effect.headers || effect.body !== undefined) ? (
          <JsonView value={answerOfFault(effect)} />
        ) : null}
      </div>
      <button type="button" aria-label={`Remove ${id}`} onClick={() => remove(id)}>
        Remove
      </button>
    </li>
  );
}

type RespondEffect = Extract<FaultRule['effect'], { kind: 'respond' }>;

/** What a fault answers instead of the service. */
const answerOfFault = ({ headers, body }: RespondEffect) => ({
  ...(headers && { headers }),
  ...(body !== undefined && { body }),
});

function describeEffect(effect: FaultRule['effect']): string {
  if (effect.kind === 'respond') return `respond ${effect.status}`;
  return effect.kind === 'delay' ? `delay ${effect.ms} ms` : effect.kind;
}

async function remove(id: string): Promise<void> {
  const merchant = chosenMerchant(getState());
  if (!merchant) return;
  await attempt(answerOf(control.faults[':id'].$delete({ param: { id } }, asMerchant(merchant))));
  await readCounts();
}

async function clear(): Promise<void> {
  const merchant = chosenMerchant(getState());
  if (!merchant) return;
  await attempt(answerOf(control.faults.$delete({}, asMerchant(merchant))));
  await readCounts();
}
