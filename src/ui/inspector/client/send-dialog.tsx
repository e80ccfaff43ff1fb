/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { isolate } from '../../layout/client/user-text.ts';
import { arrived, type CallError } from './api.ts';
import type { Call } from './call.ts';
import { bodyText, fillIn, redactedPaths } from './curl.ts';
import { go } from './navigation.ts';
import { Dialog, Field, inputOf } from './parts.tsx';
import { contract, type Merchant, notify } from './store.ts';
import { UserText } from './user-text.tsx';

/** A call as it was, to be changed and sent again with the key of the merchant that is looked at. */
export function SendDialog({
  call,
  merchant,
  onClose,
}: {
  readonly call: Call;
  readonly merchant: Merchant;
  readonly onClose: () => void;
}) {
  const { redacted } = contract;
  const [method, setMethod] = useState(call.method);
  const [path, setPath] = useState(call.path);
  const [body, setBody] = useState(prettyBody(call.request.body));
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState('');
  const taken = redactedPaths(parsed(body) ?? null, redacted);
  const submit = async (event: Event) => {
    event.preventDefault();
    const text = filled(body, values);
    if (text.includes(redacted) || path.includes(redacted)) {
      return setProblem(
        `${redacted} still stands where a value was taken out: write the value there.`,
      );
    }
    const sent = await send(merchant, method, path, method === 'GET' ? '' : text);
    if (typeof sent === 'string') return setProblem(sent);
    onClose();
    const id = sent.headers.get('sandbox-request-id');
    notify('ok', `Sent again: the answer was ${sent.status}.`);
    if (id) go({ tab: 'calls', call: id });
  };
  return (
    <Dialog title="Send again" onClose={onClose}>
      <form class="send" onSubmit={submit}>
        <div class="request-line">
          <Field label="Method">
            <select value={method} onChange={(event: Event) => setMethod(inputOf(event))}>
              {[...new Set(['GET', 'POST', call.method])].map((each) => (
                <option key={each} value={each}>
                  {isolate(each)}
                </option>
              ))}
            </select>
          </Field>
          <Field label="Path">
            <input
              class="mono"
              value={path}
              required
              onInput={(event: Event) => setPath(inputOf(event))}
            />
          </Field>
        </div>
        {method === 'GET'
          ? null
          : taken.map((field) => (
              <Field
                key={field}
                label={<UserText text={field} />}
                hint="It was taken out of the journal: fill it in."
              >
                <input
                  class="mono"
                  value={values[field] ?? ''}
                  onInput={(event: Event) => setValues({ ...values, [field]: inputOf(event) })}
                />
              </Field>
            ))}
        {method === 'GET' ? null : (
          <Field label="Body">
            <textarea
              rows={12}
              spellcheck={false}
              onInput={(event: Event) => setBody(inputOf(event))}
              value={body}
            />
          </Field>
        )}
        <p class="muted">
          It is sent with the key of <UserText text={merchant.name} />,{' '}
          <code>
            <UserText text={merchant.api_key} />
          </code>
          .
        </p>
        <p class="bad" role="alert">
          <UserText whole text={problem} />
        </p>
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Send
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const prettyBody = (body: unknown): string =>
  typeof body === 'object' && body !== null
    ? JSON.stringify(body, null, 2)
    : (bodyText(body) ?? '');

/** Undefined for a body that is no JSON, which may be sent all the same. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The body with the values that were filled in; as it was written where there is nothing to fill in. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  const given = Object.values(values).some((value) => value !== '');
  const body = parsed(text);
  return given && body !== undefined ? JSON.stringify(fillIn(body, values), null, 2) : text;
}

/** What the sandbox answers, or what to say where it does not. */
async function send(
  merchant: Merchant,
  method: string,
  path: string,
  body: string,
): Promise<Response | string> {
  if (!path.startsWith('/') || path.startsWith('//')) return 'The path begins with one slash.';
  const headers = {
    authorization: `Bearer ${merchant.api_key}`,
    ...(body !== '' && { 'content-type': 'application/json' }),
  };
  try {
    return await arrived(fetch(path, { method, headers, ...(body !== '' && { body }) }));
  } catch (error) {
    return `${(error as CallError).message}. If a fault took it, the call is in the list.`;
  }
}
