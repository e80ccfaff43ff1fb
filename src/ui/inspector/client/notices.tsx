/** @jsxImportSource hono/jsx/dom */
import type { Child } from 'hono/jsx/dom';
import { closeNotice, useStore } from './store.ts';
import { UserText } from './user-text.tsx';

const MAX_LINES = 8;

/** What happened, read out by screen readers as it comes. */
export function Notices() {
  const notices = useStore((state) => state.notices);
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.map(({ id, tone, text, lines }) => (
        <div key={id} class={`notice ${tone}`}>
          <div>
            <p>{withIsolation(text)}</p>
            {lines.length > 0 ? (
              <ul>
                {lines.slice(0, MAX_LINES).map((line) => (
                  <li>{withIsolation(line)}</li>
                ))}
                {lines.length > MAX_LINES ? <li>and {lines.length - MAX_LINES} more</li> : null}
              </ul>
            ) : null}
          </div>
          <button
            type="button"
            class="quiet icon"
            aria-label="Close the notice"
            onClick={closeNotice}
          >
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}

/** Isolates a plain text, which may come from the sandbox. Elements isolate their own parts. */
const withIsolation = (said: Child): Child =>
  typeof said === 'string' ? <UserText whole text={said} /> : said;
