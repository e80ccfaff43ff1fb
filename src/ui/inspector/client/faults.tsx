/* The tab of faults: the rules that can still act, the presets, and a form for everything else. */

/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import type { FaultRule } from '../../../types/public.ts';
import type { OfferedFault } from '../contract.ts';
import { useAnswer } from './answers.ts';
import { control } from './api.ts';
import { faultText } from './call.tsx';
import { contract } from './contract.ts';
import { mistakeIn } from './editor.tsx';
import { attempt } from './merchants.ts';
import { ActButton, Dialog, Field, inputOf, UserText } from './parts.tsx';
import { notify } from './store.ts';

type NewRule = Partial<FaultRule> & Pick<FaultRule, 'stage' | 'effect'>;

export function FaultsView() {
  const faults = useAnswer<{ data: FaultRule[] }>('faults')?.data;
  const [operation, setOperation] = useState('');
  const [customized, customize] = useState<NewRule | undefined>(undefined);
  const match = operation === '' ? {} : { operation };
  return (
    <section class="sheet" aria-label="Faults">
      <h2>Active rules</h2>
      {faults?.length === 0 ? (
        <p class="muted">None. A rule changes the next call that matches it.</p>
      ) : null}
      <ul class="cards">
        {faults?.map((rule) => (
          <RuleCard key={rule.id} rule={rule} />
        ))}
      </ul>
      <div class="section-head">
        <h2>Add a fault to the next call of</h2>
        <Field
          label="Operation"
          options={{ '': 'any operation', ...operationOptions() }}
          value={operation}
          onChange={(event: Event) => setOperation(inputOf(event))}
        />
      </div>
      <ul class="cards presets">
        {contract.faultPresets.map((preset) => (
          <li key={preset.name} class="card">
            <div>
              <b>{preset.name}</b>
              <p class="muted">{preset.text}</p>
            </div>
            <ActButton
              aria-label={`Add: ${preset.name}`}
              onClick={() => attempt(() => add(ruleOf(preset, match)))}
            >
              Add
            </ActButton>
            <ActButton class="quiet" onClick={() => customize(ruleOf(preset, match))}>
              Customize…
            </ActButton>
          </li>
        ))}
      </ul>
      {customized ? <RuleDialog rule={customized} onClose={() => customize(undefined)} /> : null}
    </section>
  );
}

const operationOptions = (): Record<string, string> =>
  Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, operationId]));

const ruleOf = ({ stage, effect }: OfferedFault, match: object): NewRule => ({
  match,
  stage,
  effect,
});

async function add(rule: object): Promise<void> {
  await control('faults', { body: rule });
  notify('ok', 'Added. It acts on the next call that matches.');
}

function RuleCard({ rule }: { rule: FaultRule }) {
  const { id, match, skip, times, probability } = rule;
  const remove = () =>
    attempt(() => control(`faults/${encodeURIComponent(id)}`, { method: 'DELETE' }));
  const { operation = 'any operation', ...others } = match;
  const limits = [
    times === 1 ? 'once' : `${times.toLocaleString('en')} times`,
    ...(skip > 0 ? [`after ${skip} calls`] : []),
    ...(probability < 1 ? [`with probability ${probability}`] : []),
    ...Object.entries(others).map(([part, value]) => `if ${part} has ${JSON.stringify(value)}`),
  ];
  return (
    <li class="card">
      <div>
        <b>{operation}</b> <span class="tag">{faultText({ ...rule, id })}</span>
        <p class="muted">
          <span class="mono">{id}</span> · <UserText text={limits.join(', ')} />
        </p>
      </div>
      <ActButton class="quiet" aria-label={`Remove ${id}`} onClick={remove}>
        Remove
      </ActButton>
    </li>
  );
}

/** Reads the JSON of a field. Throws an `Error` that says where it is none. */
function readJson(label: string, text: string): unknown {
  const mistake = mistakeIn(text);
  if (mistake !== undefined) throw new Error(`${label}: ${mistake}`);
  return JSON.parse(text);
}

/** The other fields of a rule, as JSON where they are objects. */
function RuleDialog({ rule, onClose }: { rule: NewRule; onClose: () => void }) {
  const submit = (fields: Record<string, string>) => {
    const { stage, effect = '', match = '', skip, times, probability } = fields;
    return add({
      stage,
      effect: readJson('Effect', effect),
      match: match.trim() === '' ? {} : readJson('Only calls with', match),
      skip: Number(skip),
      times: Number(times),
      probability: Number(probability),
    });
  };
  return (
    <Dialog title="Add a fault" action="Add" onSubmit={submit} onClose={onClose}>
      <Field
        label="Stage"
        name="stage"
        options={{ before: 'before the operation', after: 'after the operation' }}
        value={rule.stage}
      />
      <Field
        label="Effect"
        hint='Such as {"kind":"respond","status":503,"headers":{},"body":{}} or {"kind":"delay","ms":2000}'
        name="effect"
        rows={3}
        value={JSON.stringify(rule.effect)}
      />
      <Field
        label="Only calls with"
        hint='An operation, a part of the body or of the query, such as {"body":{"product_id":1}}'
        name="match"
        rows={2}
        value={JSON.stringify(rule.match)}
      />
      <div class="fields">
        <Field label="Calls to skip" name="skip" type="number" min="0" value="0" />
        <Field label="Times" name="times" type="number" min="1" value="1" />
        <Field
          label="Probability"
          name="probability"
          type="number"
          min="0"
          max="1"
          step="any"
          value="1"
        />
      </div>
    </Dialog>
  );
}
