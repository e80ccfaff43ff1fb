/* The script of the front page: copies and runs its calls, and updates its numbers. */

import { after, every } from '../../layout/client/browser-time.ts';
import { findEntry, whatRan } from '../../layout/client/lost-call.ts';
import {
  balanceIsolates,
  copyText,
  type JsonToken,
  jsonTokens,
} from '../../layout/client/user-text.ts';

/** The call of a button. */
interface Run {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body?: string;
  /** Where to send the token of the response, to complete a purchase. */
  readonly verifyPath?: string;
}

const REFRESH_MS = 2_000;
const SHOWS_COPIED_MS = 1_500;

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  if (button?.dataset.copy !== undefined) void copy(button, button.dataset.copy);
  if (button?.dataset.run !== undefined) void run(button, JSON.parse(button.dataset.run) as Run);
});

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  const copied = await copyText(text);
  button.textContent = copied ? 'Copied' : 'Copy failed';
  after(SHOWS_COPIED_MS, () => {
    button.textContent = 'Copy';
  });
}

/** Makes the calls of the command and shows the last response. */
async function run(button: HTMLButtonElement, wanted: Run): Promise<void> {
  const article = button.closest('article');
  const answer = article?.querySelector<HTMLElement>('.answer');
  // A disabled button would lose the focus.
  if (!answer || button.ariaDisabled === 'true') return;
  button.ariaDisabled = 'true';
  answer.replaceChildren(...(await send(wanted, article?.querySelector('h2')?.textContent)));
  answer.scrollIntoView({ block: 'nearest' });
  button.ariaDisabled = null;
  void refresh();
}

/** Makes a call and, for a purchase that was accepted, the one that completes it. Returns what came of the last one. */
async function send({ method, path, key, body, verifyPath }: Run, title?: string): Promise<Node[]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  let id: string | null = null;
  try {
    const response = await fetch(path, { method, headers, body: body ?? null });
    id = response.headers.get('sandbox-request-id');
    // A lost response may have a status and headers.
    const text = await response.text();
    const token = verifyPath === undefined ? undefined : tokenIn(text);
    if (verifyPath === undefined || token === undefined) return responseOf(response, text, title);
    return send({ method, path: verifyPath, key, body: JSON.stringify({ token }) }, title);
  } catch {
    const entry = await findEntry({ method, path, key }, id ?? undefined);
    const said = `No response arrived. ${entry ? whatRan(entry) : 'Is the sandbox running?'}`;
    const link = entry ? [linkTo(entry.id)] : [];
    return [element('p', { class: 'bad' }, said, ...link)];
  }
}

const linkTo = (call: string): Node =>
  element('a', { href: `/_sandbox?call=${encodeURIComponent(call)}` }, 'Open in the inspector');

/** The token that an accepted initiate returned. */
function tokenIn(text: string): string | undefined {
  try {
    const { data }: { data?: { token?: string } } = JSON.parse(text);
    return data?.token;
  } catch {
    return undefined;
  }
}

function responseOf({ status, headers }: Response, text: string, of = ''): Node[] {
  const line = element(
    'p',
    {},
    element('span', { class: `status s${`${status}`[0]}` }, `${status}`),
  );
  const id = headers.get('sandbox-request-id');
  // A move of the clock is no call of the merchant API.
  if (id === null) line.append(element('a', { href: '/_sandbox' }, 'Open the inspector'));
  else line.append(linkTo(id));
  if (/"effects":\s*\[\]/.test(text)) line.append('Nothing expired.');
  const body = element('pre', {}, ...jsonTokens(indented(text)).map(pieceOf));
  return [line, element('section', { tabindex: '0', 'aria-label': `Response: ${of}` }, body)];
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A piece of a response. Quotes stay on both sides of their text. */
function pieceOf({ text, kind }: JsonToken): Node {
  const [, quoted] = /^"(.*)"$/s.exec(text) ?? [];
  const parts = quoted === undefined ? [userText(text)] : ['"', userText(quoted), '"'];
  return element('span', kind ? { class: kind } : {}, ...parts);
}

/** A text that cannot reorder the text around it. */
const userText = (text: string): Node => element('bdi', {}, balanceIsolates(text));

function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElement {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

const numbers = document.querySelectorAll<HTMLElement>('[data-live]');

/** Updates the numbers. Pages without numbers request none. */
async function refresh(): Promise<void> {
  if (numbers.length === 0 || document.hidden) return;
  const list = numbers[0]?.closest('dl');
  try {
    const response = await fetch('/', {
      headers: { accept: 'application/json' },
      cache: 'no-store',
    });
    const { live } = (await response.json()) as { live?: Record<string, number> };
    for (const number of numbers) {
      const now = live?.[number.dataset.live ?? '']?.toLocaleString('en') ?? '–';
      if (number.textContent !== now) number.textContent = now;
    }
    list?.classList.remove('stale');
  } catch {
    list?.classList.add('stale');
  }
}

every(REFRESH_MS, () => void refresh());
document.addEventListener('visibilitychange', () => void refresh());
