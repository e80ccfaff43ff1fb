/* The tab of faults: those that are active, common ones to add, and a form. */

/** @jsxImportSource hono/jsx/dom */
import { type Child, useEffect, useRef, useState } from 'hono/jsx/dom';
import type { FaultRule, NewFault } from '../../../public.ts';
import { answerOf, bearer, type CallError, control, merchantHeaders } from './api.ts';
import {
  briefOf,
  curlToAdd,
  EFFECTS,
  effectsOffered,
  type FaultDraft,
  FIRST_DRAFT,
  headerOf,
  presetsFor,
  readDraft,
  stagesOf,
  textBody,
} from './fault-draft.ts';
import { JsonView } from './json-view.tsx';
import { attempt } from './merchants.ts';
import {
  ActButton,
  CopyButton,
  Field,
  inputOf,
  OperationOptions,
  Problems,
  SubmitButton,
  submitted,
  UserText,
} from './parts.tsx';
import { chosenMerchant, contract, type LoadedMerchant, notify, useStore } from './store.ts';
import { readCounts } from './world.ts';

export function FaultsView() {
  const faults = useStore((state) => state.faults);
  return (
    <div class="sheet two">
      <Presets />
      <section aria-label="Active faults">
        <div class="section-head">
          <h2>Active faults</h2>
          {faults && faults.length > 1 ? (
            <ActButton class="quiet danger" onClick={clear}>
              Remove all
            </ActButton>
          ) : null}
        </div>
        {faults?.length === 0 ? <p class="nothing muted">No active faults.</p> : null}
        <ul class="cards">
          {faults?.map((fault) => (
            <FaultCard key={fault.id} fault={fault} />
          ))}
        </ul>
      </section>
      <section aria-label="Add a fault">
        <h2>Any fault</h2>
        <FaultForm />
      </section>
    </div>
  );
}

/** One click for each common fault. */
function Presets() {
  const purchases = useStore((state) => state.purchases);
  const [busy, setBusy] = useState(false);
  const { families, breaksConnections } = contract;
  const waiting = families.find(({ initiate }) =>
    purchases?.some(({ operation }) => operation === initiate),
  );
  const [chosen, choose] = useState<string | undefined>(undefined);
  const family = families.find(({ verify }) => verify === chosen) ?? waiting ?? families[0];
  if (!family) return null;
  const add = async (fault: NewFault) => {
    setBusy(true);
    await attempt(() => addFault(fault));
    setBusy(false);
  };
  const presets = presetsFor(family, breaksConnections);
  const cards = (chosen: typeof presets) => (
    <ul class="cards">
      {chosen.map(({ title, fault }) => (
        <li key={title} class="card">
          <b>{title}</b>
          <ActButton
            class="primary"
            busy={busy}
            aria-label={`Add: ${title}`}
            onClick={() => add(fault)}
          >
            Add
          </ActButton>
          <FaultTexts fault={fault} short />
        </li>
      ))}
    </ul>
  );
  return (
    <section aria-label="Common faults" class="presets">
      <div>
        <h2>
          <label>
            The next verify of{' '}
            <select value={family.verify} onChange={(event: Event) => choose(inputOf(event))}>
              {families.map(({ verify, tag }) => (
                <option key={verify} value={verify}>
                  {tag}
                </option>
              ))}
            </select>
          </label>
        </h2>
        {cards(presets.filter(({ fault }) => fault.match !== undefined))}
      </div>
      <div>
        <h2>The next call of any operation</h2>
        {cards(presets.filter(({ fault }) => fault.match === undefined))}
      </div>
    </section>
  );
}

interface FaultTextsProps {
  fault: NewFault | FaultRule;
  /** The merchant whose key the command sends; the chosen one by default. */
  of?: LoadedMerchant | undefined;
  short?: boolean;
}

/** The header of a fault, in short without its name, and what to copy. */
function FaultTexts({ fault, of, short = false }: FaultTextsProps) {
  const chosen = useStore(chosenMerchant);
  const { api_key: key = '' } = of ?? chosen ?? {};
  const header = headerOf(fault);
  return (
    <div class="fault-texts">
      {short || header !== undefined ? <code>{short ? briefOf(fault) : header}</code> : null}
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

interface FaultCardProps {
  fault: FaultRule;
  /** Its merchant, if it is not the chosen one, and what to show of it. */
  merchant?: LoadedMerchant;
  head?: Child;
}

export function FaultCard({ fault, merchant, head }: FaultCardProps) {
  const { id, match, stage, effect, skip, times, probability } = fault;
  const text = textBody(effect);
  const answer = Object.entries(effect).filter(
    ([name]) => name === 'headers' || (name === 'body' && text === undefined),
  );
  return (
    <li class="card">
      <div>
        {head ? <div>{head}</div> : null}
        <b>{match.operation ?? 'Any call'}</b>{' '}
        <span class="tag">
          {stage} · {describeEffect(effect)}
        </span>
        <small class="muted">
          {skip > 0 ? `after ${skip === 1 ? '1 call' : `${skip} calls`}, ` : ''}
          {times === 1 ? 'once' : `${times} times`}
          {probability < 1 ? `, with a probability of ${probability}` : ''}
          {' · '}
          <UserText text={id} />
          {match.body ? ', if the body contains' : ''}
        </small>
        {match.body ? <JsonView value={match.body} /> : null}
        {answer.length > 0 ? <JsonView value={Object.fromEntries(answer)} /> : null}
        {text === undefined ? null : (
          <pre>
            <UserText whole text={text} />
          </pre>
        )}
        <FaultTexts fault={fault} of={merchant} />
      </div>
      <ActButton aria-label={`Remove ${id}`} onClick={() => remove(id, merchant)}>
        Remove
      </ActButton>
    </li>
  );
}

function describeEffect(effect: FaultRule['effect']): string {
  if (effect.kind === 'respond') return `respond ${effect.status}`;
  if (effect.kind === 'delay') return `delay ${effect.ms} ms`;
  return effect.kind === 'advance' ? `advance ${effect.by}` : effect.kind;
}

async function remove(id: string, of?: LoadedMerchant): Promise<void> {
  const headers = of ? bearer(of.api_key) : merchantHeaders();
  await attempt(() => control.faults[':id'].$delete({ param: { id } }, { headers }));
  await readCounts();
}

async function clear(): Promise<void> {
  await attempt(() => control.faults.$delete());
  await readCounts();
}

const EFFECT_HINT = 'drop and truncate need a socket, which this sandbox does not have.';

/** The form to add a fault. */
function FaultForm() {
  const [kind, setKind] = useState<string>(FIRST_DRAFT.kind);
  const [draft, setDraft] = useState<NewFault | undefined>(() => readDraft(FIRST_DRAFT));
  const form = useRef<HTMLFormElement>(null);
  /** Invalid drafts have no texts until they are valid again. */
  const redraw = () => setDraft(form.current ? drafted(form.current) : undefined);
  // An effect brings fields and stages of its own.
  useEffect(redraw, [kind]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const submit = async (event: Event) =>
    setProblems(await add({ ...FIRST_DRAFT, ...submitted(event) } as FaultDraft));
  const { breaksConnections } = contract;
  const effects = effectsOffered(breaksConnections).map((name) => [name, EFFECTS[name]]);
  const { status, ms, by, skip, times, probability } = FIRST_DRAFT;
  return (
    <form class="card-form" ref={form} onSubmit={submit} onInput={redraw} onChange={redraw}>
      <Field label="Operation">
        <select name="operation">
          <option value="">Any call</option>
          <OperationOptions />
        </select>
      </Field>
      <div class="fields">
        <Field label="Stage" name="stage" options={stagesOf(kind)} />
        <Field
          label="Effect"
          hint={breaksConnections ? undefined : EFFECT_HINT}
          name="kind"
          options={Object.fromEntries(effects)}
          value={kind}
          onChange={(event: Event) => setKind(inputOf(event))}
        />
      </div>
      <fieldset hidden={kind !== 'respond'} disabled={kind !== 'respond'}>
        <div class="fields">
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
            label="Headers, one per line"
            name="headers"
            rows={1}
            placeholder="Retry-After: 3"
          />
        </div>
        <Field
          label="Body"
          hint="JSON, or any text under another Content-Type. Default: a failure in the call's envelope."
          name="body"
          rows={2}
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
      <fieldset hidden={kind !== 'advance'} disabled={kind !== 'advance'}>
        <Field
          label="Duration"
          hint="How far the clock moves, in ISO 8601: PT30M, P1D or P1M."
          name="by"
          required
          value={by}
        />
      </fieldset>
      <div class="fields three">
        <Field label="Skip calls" name="skip" type="number" min="0" required value={skip} />
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
      <div class="actions">
        <SubmitButton class="primary">Add fault</SubmitButton>
        {draft ? <FaultTexts fault={draft} /> : null}
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
