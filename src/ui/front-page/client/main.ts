/* The script of the front page: copies texts, and starts the stories that the inspector shows. */

import { after } from '../../layout/client/browser-time.ts';
import { buyPolicy, loseResponse } from '../../layout/client/purchase.ts';
import { copyText } from '../../layout/client/user-text.ts';

const STORIES = { buyPolicy, loseResponse };
const SHOWS_COPIED_MS = 1_500;

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  if (button?.dataset.copy !== undefined) void copy(button, button.dataset.copy);
  const story = button?.dataset.story;
  if (button && (story === 'buyPolicy' || story === 'loseResponse')) void tell(button, story);
});

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  const copied = await copyText(text);
  const label = button.ariaLabel;
  // A name that lacks what the button shows confuses voice control.
  button.ariaLabel = null;
  button.textContent = copied ? 'Copied' : 'Copy failed';
  after(SHOWS_COPIED_MS, () => {
    button.ariaLabel = label;
    button.textContent = 'Copy';
  });
}

/** Makes the calls of a story and opens it in the inspector. */
async function tell(button: HTMLButtonElement, story: keyof typeof STORIES): Promise<void> {
  // A disabled button would lose the focus.
  if (button.ariaDisabled === 'true') return;
  button.ariaDisabled = 'true';
  const purchase = button.closest<HTMLElement>('[data-purchase]')?.dataset.purchase ?? '';
  const call = await STORIES[story](JSON.parse(purchase)).catch(() => undefined);
  button.ariaDisabled = null;
  if (call !== undefined) location.href = `/_sandbox?call=${encodeURIComponent(call)}`;
  else {
    const said = document.getElementById('said');
    if (said) said.textContent = 'Cannot reach the sandbox. Is it running?';
  }
}
