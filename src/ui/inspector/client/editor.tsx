/* Sends a call again, as it was or edited in place. */

/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import type { OfferedFault } from '../contract.ts';
import { bearer, control } from './api.ts';
import { contract } from './contract.ts';
import { type JournalCall, keyOf, statusText } from './items.ts';
import { attempt } from './merchants.ts';
import { ActButton, Button, Field, inputOf, UserText } from './parts.tsx';
import { go, keyFor, notify } from './store.ts';

/** Sends a call again, or another body in its place, and opens the new call. The sandbox knows the hidden values. */
export const sendAgain = (
  { id, merchant }: JournalCall,
  change: { readonly body?: string; readonly fault?: OfferedFault | undefined } = {},
): Promise<void> =>
  attempt(async () => {
    const { body, fault } = change;
    const headers = bearer(keyFor(merchant?.id));
    const entry = await control<JournalCall>(`journal/${encodeURIComponent(id)}/send`, {
      body: { body, ...(fault && { fault: { stage: fault.stage, effect: fault.effect } }) },
      headers,
    });
    notify('ok', `Sent. The response was ${statusText(entry)}.`);
    go({ tab: 'calls', call: keyOf(entry) });
  });

/** The body in place, with the first mistake in its JSON. */
export function Editor({ call, onClose }: { call: JournalCall; onClose: () => void }) {
  const sent = call.request.body;
  const hasBody = call.method !== 'GET';
  const [text, setText] = useState(() => (typeof sent === 'string' ? sent : pretty(sent ?? {})));
  const [fault, setFault] = useState('');
  const mistake = hasBody ? mistakeIn(text) : undefined;
  const sample = contract.operations.find(
    ({ operationId }) => operationId === call.operation,
  )?.sample;
  const fill = () => {
    const held = mistake === undefined ? JSON.parse(text) : {};
    setText(pretty({ ...sample, ...withoutEmpty(held) }));
  };
  const send = async () => {
    if (mistake !== undefined) return;
    const preset = contract.faultPresets.find(({ name }) => name === fault);
    await sendAgain(call, { ...(hasBody && { body: text }), fault: preset });
  };
  return (
    <section
      aria-label="Edit the request"
      class="editor"
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          onClose();
        } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
      }}
    >
      <div class="section-head">
        <h3>Edit the request</h3>
        {sample && hasBody ? (
          <Button class="quiet" onClick={fill}>
            Fill from sample
          </Button>
        ) : null}
      </div>
      {hasBody ? (
        <textarea
          aria-label="Edited body"
          spellcheck={false}
          autofocus
          rows={Math.min(26, Math.max(8, text.split('\n').length + 1))}
          aria-invalid={String(mistake !== undefined)}
          aria-describedby="mistake"
          value={text}
          onInput={(event: Event) => setText(inputOf(event))}
        />
      ) : (
        <p class="nothing muted">A GET has no body.</p>
      )}
      <p id="mistake" class="bad" role="alert">
        <UserText text={mistake ?? ''} />
      </p>
      <div class="actions">
        <ActButton class="primary" disabled={mistake !== undefined} onClick={send}>
          Send <kbd>Ctrl+Enter</kbd>
        </ActButton>
        <Field
          label="Fault"
          options={{ '': 'No fault', ...presetOptions() }}
          value={fault}
          onChange={(event: Event) => setFault(inputOf(event))}
        />
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </section>
  );
}

const presetOptions = (): Record<string, string> =>
  Object.fromEntries(contract.faultPresets.map(({ name }) => [name, name]));

/** What was entered, without empty values, which a sample fills. */
const withoutEmpty = (held: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(Object(held)).filter(([, value]) => value !== '' && value !== null),
  );

export const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** Where a text is no JSON: `line 3, column 9: …`; undefined if it is. */
export function mistakeIn(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const [, position] = /position (\d+)/.exec(message) ?? [];
    const lines = text
      .slice(0, position === undefined ? text.length : Number(position))
      .split('\n');
    return `Line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: this is no JSON`;
  }
}
