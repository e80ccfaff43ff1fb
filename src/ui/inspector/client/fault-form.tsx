/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { answerOf, asMerchant, type CallError, control } from './api.ts';
import { EFFECTS, effectsOffered, type FaultDraft, FIRST_DRAFT, readDraft } from './fault-draft.ts';
import { OperationOptions } from './operation-options.tsx';
import { Field, inputOf } from './parts.tsx';
import { chosenMerchant, contract, getState, notify } from './store.ts';
import { UserText } from './user-text.tsx';
import { readCounts } from './world.ts';

const STAGES = {
  before: 'before: the service is not asked',
  after: 'after: the work is done, the answer suffers',
} as const;

/** One more fault: which calls, when, and what happens to them. */
export function FaultForm() {
  const [draft, setDraft] = useState(FIRST_DRAFT);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const { kind } = draft;
  const set = (name: keyof FaultDraft) => (event: Event) =>
    setDraft({ ...draft, [name]: inputOf(event) });
  const submit = async (event: Event) => {
    event.preventDefault();
    setProblems(await add(draft));
  };
  return (
    <form class="card-form" onSubmit={submit}>
      <Field label="Operation">
        <select value={draft.operation} onChange={set('operation')}>
          <option value="">Any call</option>
          <OperationOptions />
        </select>
      </Field>
      <Field label="Stage">
        <select value={draft.stage} onChange={set('stage')}>
          {Object.entries(STAGES).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </Field>
      <Field
        label="Effect"
        hint={
          contract.breaksConnections
            ? undefined
            : 'No drop and no truncate: this sandbox has no connections to break.'
        }
      >
        <select value={kind} onChange={set('kind')}>
          {effectsOffered(contract.breaksConnections).map((name) => (
            <option key={name} value={name}>
              {EFFECTS[name]}
            </option>
          ))}
        </select>
      </Field>
      {kind === 'respond' ? (
        <div class="effect" key="respond">
          <Field label="Status">
            <input
              type="number"
              min="200"
              max="599"
              required
              value={draft.status}
              onInput={set('status')}
            />
          </Field>
          <Field label="Headers" hint="A line each; none is needed.">
            <textarea
              rows={2}
              placeholder="Retry-After: 3"
              value={draft.headers}
              onInput={set('headers')}
            />
          </Field>
          <Field label="Body" hint="Any JSON; a failure in the envelope of the call unless given.">
            <textarea rows={3} spellcheck={false} value={draft.body} onInput={set('body')} />
          </Field>
        </div>
      ) : null}
      {kind === 'delay' ? (
        <Field label="Milliseconds" key="delay">
          <input type="number" min="0" max="600000" required value={draft.ms} onInput={set('ms')} />
        </Field>
      ) : null}
      <div class="fields" key="often">
        <Field label="Times">
          <input type="number" min="1" required value={draft.times} onInput={set('times')} />
        </Field>
        <Field label="Probability">
          <input
            type="number"
            min="0"
            max="1"
            step="any"
            required
            value={draft.probability}
            onInput={set('probability')}
          />
        </Field>
      </div>
      <details class="rest" key="match">
        <summary>Only where the body has…</summary>
        <Field label="Fields of the request's body" hint='JSON, at any depth: {"product_id": 1}'>
          <textarea rows={2} spellcheck={false} value={draft.match} onInput={set('match')} />
        </Field>
      </details>
      <ul class="bad" role="alert" key="problems">
        {problems.map((problem) => (
          <li>
            <UserText whole text={problem} />
          </li>
        ))}
      </ul>
      <div class="actions" key="actions">
        <button type="submit" class="primary">
          Add the fault
        </button>
      </div>
    </form>
  );
}

/** Sets a fault, and answers what is wrong with it. */
async function add(draft: FaultDraft): Promise<readonly string[]> {
  const merchant = chosenMerchant(getState());
  if (!merchant) return [];
  try {
    const json = readDraft(draft);
    const { id } = await answerOf(control.faults.$post({ json }, asMerchant(merchant)));
    notify('ok', `${id} is set.`);
    await readCounts();
    return [];
  } catch (error) {
    const { message, places = [] } = error as CallError;
    return places.length > 0 ? places : [message];
  }
}
