/* The tab of faults: those that are active, common ones to add, and a form. */

/** @jsxImportSource hono/jsx/dom */
import { useRef, useState } from 'hono/jsx/dom';
import type { FaultRule, NewFault, OperationId } from '../../../public.ts';
import { answerOf, type CallError, control } from './api.ts';
import {
  curlToAdd,
  EFFECTS,
  effectsOffered,
  type FaultDraft,
  FIRST_DRAFT,
  headerOf,
  presetsFor,
  readDraft,
} from './fault-draft.ts';
import { JsonView } from './json-view.tsx';
import { attempt } from './merchants.ts';
import {
  Button,
  CopyButton,
  Field,
  inputOf,
  OperationOptions,
  Problems,
  submitted,
  UserText,
} from './parts.tsx';
import { chosenMerchant, contract, notify, useStore } from './store.ts';
import { readCounts } from './world.ts';

export function FaultsView() {
  const faults = useStore((state) => state.faults);
  return (
    <div class="sheet two">
      <section aria-label="Active faults">
        <div class="section-head">
          <h2>Active faults</h2>
          {faults && faults.length > 1 ? (
            <Button class="quiet danger" onClick={clear}>
              Remove all
            </Button>
          ) : null}
        </div>
        {faults?.length === 0 ? <p class="nothing muted">No active faults.</p> : null}
        <ul class="cards">
          {faults?.map((fault) => (
            <FaultCard key={fault.id} fault={fault} />
          ))}
        </ul>
      </section>
      <div>
        <section aria-label="Common faults">
          <h2>Common faults</h2>
          <Presets />
        </section>
        <section aria-label="Add a fault">
          <h2>Any fault</h2>
          <FaultForm />
        </section>
      </div>
    </div>
  );
}

/** One click for each common fault. */
function Presets() {
  const purchases = useStore((state) => state.purchases);
  const [busy, setBusy] = useState(false);
  const [first] = contract.families;
  const waiting = contract.families.find(({ initiate }) =>
    purchases?.some(({ operation }) => operation === initiate),
  );
  const [chosen, choose] = useState<string | undefined>(undefined);
  const verify = (chosen ?? waiting?.verify ?? first?.verify) as OperationId;
  return (
    <ul class="cards">
      {presetsFor(verify, contract.breaksConnections).map(({ title, fault }) => (
        <li key={title} class="card">
          <div>
            <b>{title}</b>
            {fault.match ? (
              <select
                class="of"
                aria-label="Verify of which family"
                value={verify}
                onChange={(event: Event) => choose(inputOf(event))}
              >
                {contract.families.map(({ verify: operation, tag }) => (
                  <option key={operation} value={operation}>
                    {tag}
                  </option>
                ))}
              </select>
            ) : null}
            <FaultTexts fault={fault} />
          </div>
          <Button
            class="primary"
            disabled={busy}
            aria-label={`Add: ${title}`}
            onClick={async () => {
              setBusy(true);
              await attempt(() => addFault(fault));
              setBusy(false);
            }}
          >
            Add
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The header of a fault, and what to copy. */
function FaultTexts({ fault }: { fault: NewFault | FaultRule }) {
  const key = useStore((state) => chosenMerchant(state)?.api_key) ?? '';
  const header = headerOf(fault);
  return (
    <div class="fault-texts">
      {header === undefined ? null : <code>{header}</code>}
      {header === undefined ? null : (
        <CopyButton quiet text={header}>
          Copy header
        </CopyButton>
      )}
      <CopyButton quiet text={() => curlToAdd(fault, location.origin, key)}>
        Copy curl
      </CopyButton>
    </div>
  );
}

function FaultCard({ fault }: { fault: FaultRule }) {
  const { id, match, stage, effect, times, probability } = fault;
  const answer = Object.entries(effect).filter(([name]) => name === 'headers' || name === 'body');
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
          {match.body ? ', if the body contains' : ''}
        </small>
        {match.body ? <JsonView value={match.body} /> : null}
        {answer.length > 0 ? <JsonView value={Object.fromEntries(answer)} /> : null}
        <FaultTexts fault={fault} />
      </div>
      <Button aria-label={`Remove ${id}`} onClick={() => remove(id)}>
        Remove
      </Button>
    </li>
  );
}

function describeEffect(effect: FaultRule['effect']): string {
  if (effect.kind === 'respond') return `respond ${effect.status}`;
  return effect.kind === 'delay' ? `delay ${effect.ms} ms` : effect.kind;
}

async function remove(id: string): Promise<void> {
  await attempt(() => control.faults[':id'].$delete({ param: { id } }));
  await readCounts();
}

async function clear(): Promise<void> {
  await attempt(() => control.faults.$delete());
  await readCounts();
}

const STAGES = {
  before: 'before: acts before the call runs',
  after: 'after: acts after the call ran',
};

const EFFECT_HINT = 'drop and truncate need a socket, which this sandbox does not have.';

/** The form to add a fault. */
function FaultForm() {
  const [kind, setKind] = useState<string>(FIRST_DRAFT.kind);
  const [draft, setDraft] = useState<NewFault | undefined>(() => readDraft(FIRST_DRAFT));
  const form = useRef<HTMLFormElement>(null);
  /** Invalid drafts have no texts until they are valid again. */
  const redraw = () => setDraft(form.current ? drafted(form.current) : undefined);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const submit = async (event: Event) =>
    setProblems(await add({ ...FIRST_DRAFT, ...submitted(event) } as FaultDraft));
  const { breaksConnections } = contract;
  const effects = effectsOffered(breaksConnections).map((name) => [name, EFFECTS[name]]);
  const { status, ms, times, probability } = FIRST_DRAFT;
  return (
    <form class="card-form" ref={form} onSubmit={submit} onInput={redraw} onChange={redraw}>
      <Field label="Operation">
        <select name="operation">
          <option value="">Any call</option>
          <OperationOptions />
        </select>
      </Field>
      <Field label="Stage" name="stage" options={STAGES} />
      <Field
        label="Effect"
        hint={breaksConnections ? undefined : EFFECT_HINT}
        name="kind"
        options={Object.fromEntries(effects)}
        value={kind}
        onChange={(event: Event) => setKind(inputOf(event))}
      />
      <fieldset hidden={kind !== 'respond'} disabled={kind !== 'respond'}>
        <Field
          label="Status"
          name="status"
          type="number"
          min="200"
          max="599"
          required
          value={status}
        />
        <Field
          label="Headers"
          hint="Optional, one per line."
          name="headers"
          rows={2}
          placeholder="Retry-After: 3"
        />
        <Field
          label="Body"
          hint="Optional JSON. The default is a failure in the envelope of the call."
          name="body"
          rows={3}
        />
      </fieldset>
      <fieldset hidden={kind !== 'delay'} disabled={kind !== 'delay'}>
        <Field
          label="Milliseconds"
          name="ms"
          type="number"
          min="0"
          max="600000"
          required
          value={ms}
        />
      </fieldset>
      <div class="fields">
        <Field label="Times" name="times" type="number" min="1" required value={times} />
        <Field
          label="Probability"
          name="probability"
          type="number"
          min="0"
          max="1"
          step="any"
          required
          value={probability}
        />
      </div>
      <details class="rest">
        <summary>Match the request body</summary>
        <Field
          label="Fields of the request body"
          hint='JSON that the body must contain: {"product_id": 1}'
          name="match"
          rows={2}
        />
      </details>
      <Problems problems={problems} />
      {draft ? <FaultTexts fault={draft} /> : null}
      <div class="actions">
        <button type="submit" class="primary">
          Add fault
        </button>
      </div>
    </form>
  );
}

/** The fault of a form as it is now; undefined if it is invalid. */
function drafted(form: HTMLFormElement): NewFault | undefined {
  try {
    return readDraft({ ...FIRST_DRAFT, ...Object.fromEntries(new FormData(form)) } as FaultDraft);
  } catch {
    return undefined;
  }
}

async function addFault(fault: NewFault): Promise<void> {
  const { id } = await answerOf(control.faults.$post({ json: fault as never }));
  notify('ok', `Added ${id}.`);
  await readCounts();
}

/** Adds the fault of a draft. Returns its problems. */
async function add(draft: FaultDraft): Promise<readonly string[]> {
  try {
    await addFault(readDraft(draft));
    return [];
  } catch (error) {
    const { message, places = [] } = error as CallError;
    return places.length > 0 ? places : [message];
  }
}
