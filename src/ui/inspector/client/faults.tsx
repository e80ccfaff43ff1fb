/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import type { FaultRule, NewFault } from '../../../public.ts';
import { answerOf, type CallError, control } from './api.ts';
import { JsonView } from './json-view.tsx';
import { attempt } from './merchants.ts';
import { Button, Field, inputOf, OperationOptions, submitted, UserText } from './parts.tsx';
import { contract, notify, useStore } from './store.ts';
import { readCounts } from './world.ts';

/** The active faults, and a form to add one. */
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
      <section aria-label="Add a fault">
        <h2>Add a fault</h2>
        <FaultForm />
      </section>
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
  const [problems, setProblems] = useState<readonly string[]>([]);
  const submit = async (event: Event) =>
    setProblems(await add({ ...FIRST_DRAFT, ...submitted(event) } as FaultDraft));
  const { breaksConnections } = contract;
  const effects = effectsOffered(breaksConnections).map((name) => [name, EFFECTS[name]]);
  const { status, ms, times, probability } = FIRST_DRAFT;
  return (
    <form class="card-form" onSubmit={submit}>
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
      <ul class="bad" role="alert">
        {problems.map((problem) => (
          <li>
            <UserText whole text={problem} />
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="submit" class="primary">
          Add fault
        </button>
      </div>
    </form>
  );
}

/** Adds a fault. Returns its problems. */
async function add(draft: FaultDraft): Promise<readonly string[]> {
  try {
    const { id } = await answerOf(control.faults.$post({ json: readDraft(draft) }));
    notify('ok', `Added ${id}.`);
    await readCounts();
    return [];
  } catch (error) {
    const { message, places = [] } = error as CallError;
    return places.length > 0 ? places : [message];
  }
}

export const EFFECTS = {
  respond: 'respond: send another response',
  delay: 'delay: wait first',
  drop: 'drop: reset the connection',
  truncate: 'truncate: send half of the body',
  malformed: 'malformed: send broken JSON',
  hang: 'hang: send nothing',
} as const;
export type EffectKind = keyof typeof EFFECTS;

/** The effects that the sandbox supports. */
export const effectsOffered = (breaksConnections: boolean): EffectKind[] =>
  (Object.keys(EFFECTS) as EffectKind[]).filter(
    (kind) => breaksConnections || (kind !== 'drop' && kind !== 'truncate'),
  );

/** The initial values of the form. */
export const FIRST_DRAFT = {
  operation: '',
  stage: 'before',
  kind: 'respond' as EffectKind,
  status: '503',
  /** One per line: `Retry-After: 3`. */
  headers: '',
  body: '',
  ms: '2000',
  times: '1',
  probability: '1',
  /** JSON that the request body must contain. */
  match: '',
};
type FaultDraft = typeof FIRST_DRAFT;

/** Converts a draft to a fault. Throws if headers or JSON are invalid; the sandbox checks the rest. */
export function readDraft(draft: FaultDraft): NewFault {
  const { operation, stage, times, probability } = draft;
  const body = draft.match.trim() === '' ? undefined : json(draft.match, 'The body to match');
  return {
    ...((operation !== '' || body !== undefined) && {
      match: { ...(operation !== '' && { operation }), ...(body !== undefined && { body }) },
    }),
    stage,
    effect: effectOf(draft),
    times: Number(times),
    probability: Number(probability),
  } as NewFault;
}

function effectOf({ kind, status, headers, body, ms }: FaultDraft) {
  if (kind === 'delay') return { kind, ms: Number(ms) };
  if (kind !== 'respond') return { kind };
  const lines = headers.split('\n').filter((line) => line.trim() !== '');
  return {
    kind,
    status: Number(status),
    ...(lines.length > 0 && { headers: Object.fromEntries(lines.map(header)) }),
    ...(body.trim() !== '' && { body: json(body, 'The body') }),
  };
}

function header(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new Error(`"${line}" is not a header. Write it like "Retry-After: 3".`);
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

function json(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} is not JSON: ${(error as Error).message}`);
  }
}
