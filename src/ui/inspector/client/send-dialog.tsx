/* Repeats a call, with a form or as a command to copy. */

/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { isolate } from '../../layout/client/user-text.ts';
import type { ListedCall } from './call.ts';
import { keepFocus } from './focus.ts';
import { fillIn, keepTyped, knownBody, redactedPaths, typedIn } from './hidden-values.ts';
import { arrivalText, callMerchantApi } from './outcome.ts';
import { Dialog, Field, inputOf, UserText } from './parts.tsx';
import { contract, go, type LoadedMerchant, notify, useStore } from './store.ts';

interface SendDialogProps {
  call: ListedCall;
  /** Whose key to send; undefined to choose. */
  merchant: LoadedMerchant | undefined;
  /** Called when the call was sent, and its outcome is shown. */
  onSent: () => void;
  onClose: () => void;
}

/** A form with a call, to change and send with the key of a merchant. */
export function SendDialog({ call, merchant, onSent, onClose }: SendDialogProps) {
  const [method, setMethod] = useState(call.method);
  const [problem, setProblem] = useState('');
  const merchants = useStore((state) => state.merchants);
  const [chosenId, setChosenId] = useState(merchant?.id ?? merchants[0]?.id);
  const sender = merchant ?? merchants.find(({ id }) => id === chosenId);
  const body = knownBody(call, contract.redacted);
  const hasBody = method !== 'GET';
  const redacted = typeof body === 'object' ? redactedPaths(body, contract.redacted) : [];
  const methods = new Set(['GET', 'POST', call.method]);
  const submit = async ({ path = '', body = '', ...values }: Record<string, string>) => {
    keepTyped(values);
    const why = await send(method, path, filled(body, values), sender?.api_key);
    if (why === undefined) onSent();
    else setProblem(why);
  };
  return (
    <Dialog title="Edit and send" action="Send" onSubmit={submit} onClose={onClose}>
      <div class="request-line">
        <Field
          label="Method"
          options={Object.fromEntries([...methods].map((each) => [each, isolate(each)]))}
          value={method}
          onChange={(event: Event) => setMethod(inputOf(event))}
        />
        <Field label="Path" name="path" class="mono" value={call.path} required />
      </div>
      <fieldset hidden={!hasBody} disabled={!hasBody}>
        {redacted.map((field, place) => (
          <Field
            key={field}
            label={<UserText text={field} />}
            hint={hiddenHint()}
            name={field}
            class="mono"
            autofocus={place === 0}
          />
        ))}
        <Field label="Body" name="body" rows={12} value={prettyBody(body)} />
      </fieldset>
      {merchant ? null : (
        <Field
          label="Merchant"
          options={Object.fromEntries(
            merchants.slice(0, MAX_SENDERS).map(({ id, name }) => [id, isolate(name)]),
          )}
          value={String(chosenId)}
          onChange={(event: Event) => setChosenId(Number(inputOf(event)))}
        />
      )}
      {sender ? (
        <p class="muted">
          Uses the key of <UserText text={sender.name} />,{' '}
          <UserText class="mono" text={sender.api_key} />.
        </p>
      ) : null}
      <p class="bad" role="alert">
        <UserText whole text={problem} />
      </p>
    </Dialog>
  );
}

/** What to do about a value that the journal hides. Who uses a deployed sandbox cannot start it otherwise. */
const hiddenHint = (): string =>
  contract.isSpread
    ? 'The journal hides this value. This page remembers what you enter.'
    : 'The journal hides this value. This page remembers what you enter. A sandbox started with --no-redact hides nothing.';

/** How many merchants a call without one can be sent for. */
const MAX_SENDERS = 50;

const prettyBody = (body: unknown): string =>
  typeof body === 'object' && body !== null
    ? JSON.stringify(body, null, 2)
    : (bodyText(body) ?? '');

/** Fills values into the body. A body that is not JSON stays as it is. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  if (Object.values(values).every((value) => value === '')) return text;
  try {
    return JSON.stringify(fillIn(JSON.parse(text), values), null, 2);
  } catch {
    return text;
  }
}

/**
 * Sends a call again as it was, with the key of its merchant. Returns whether it could: not if it has a value that the
 * page does not know.
 */
export async function sendAgain(call: ListedCall, merchant: LoadedMerchant): Promise<boolean> {
  const { redacted } = contract;
  const body = call.method === 'GET' ? '' : (bodyText(knownBody(call, redacted)) ?? '');
  if (hasHidden(call.path, body)) return false;
  const why = await send(call.method, call.path, body, merchant.api_key, typedIn(call, redacted));
  if (why !== undefined) notify('bad', why);
  return true;
}

const hasHidden = (path: string, body: string): boolean =>
  [path, body].some((text) => text.includes(contract.redacted));

/**
 * Sends a call and opens it. Returns why it could not, if so.
 *
 * @param typed the fields whose values were entered for another call
 */
async function send(
  method: string,
  path: string,
  body: string,
  key: string | undefined,
  typed: readonly string[] = [],
): Promise<string | undefined> {
  if (hasHidden(path, body)) return `Replace ${contract.redacted} with the real value.`;
  if (!path.startsWith('/') || path.startsWith('//')) return 'The path must start with one slash.';
  const outcome = await callMerchantApi(method, path, body, key);
  const { response, id } = outcome;
  const withTyped = typed.length > 0 ? ` with ${typed.join(' and ')} as entered before` : '';
  const said = `Sent${withTyped}. ${arrivalText(outcome)}`;
  if (!response && id === undefined) return said;
  notify(response ? 'ok' : 'bad', said);
  if (id !== undefined) go({ tab: 'calls', call: id });
  keepFocus();
  return undefined;
}

/** Headers that curl sets itself, or that do not matter for the call. */
const LEFT_OUT =
  /^(authorization|host|content-length|connection|user-agent|accept(-encoding|-language)?|transfer-encoding|origin|referer|cookie|sec-.*)$/;

/**
 * A curl command that repeats a call.
 *
 * @param origin of the sandbox: `http://127.0.0.1:4015`
 * @param key of the merchant
 * @param redacted what the journal shows in place of a hidden value. The command has the field's name there.
 */
export function curlOf(call: ListedCall, origin: string, key: string, redacted: string): string {
  const { method, path, request } = call;
  const headers = Object.entries(request.headers)
    .filter(([name]) => !LEFT_OUT.test(name))
    .map(([name, value]) => `${name}: ${value.replaceAll(redacted, `<${name}>`)}`);
  const body = bodyText(withPlaceholders(knownBody(call, redacted), redacted));
  const parts = [
    methodOption(method, body),
    ...[`authorization: Bearer ${key}`, ...headers].map((header) => `-H ${quote(header)}`),
    body === undefined ? undefined : `--data-raw ${quote(body)}`,
    quote(origin + path.replaceAll(redacted, '<redacted>')),
  ];
  return ['curl', ...parts.filter((part) => part !== undefined)].join(' \\\n  ');
}

/** How curl is told the method. Under `-X HEAD` it would wait for a body. */
function methodOption(method: string, body: string | undefined): string | undefined {
  if (method === 'HEAD') return '--head';
  return method === 'GET' && body === undefined ? undefined : `-X ${method}`;
}

/** What to replace in the command of a call, if anything. */
export function placeholdersIn(command: string, { path, request }: ListedCall): string | undefined {
  const sent = JSON.stringify([path, request]);
  const names = command.match(/<[\w-]+>/g)?.filter((name) => !sent.includes(name));
  return names && names.length > 0 ? [...new Set(names)].join(' and ') : undefined;
}

/** The text of a body: JSON, or a text that is not JSON. */
const bodyText = (body: unknown): string | undefined =>
  body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body);

/** Quotes a text for a shell, where quotes cannot contain `'`. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function withPlaceholders(value: unknown, redacted: string, field = 'redacted'): unknown {
  if (typeof value === 'string') return value.replaceAll(redacted, `<${field}>`);
  if (Array.isArray(value)) return value.map((each) => withPlaceholders(each, redacted, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [key, withPlaceholders(held, redacted, key)]),
  );
}
