/** @jsxImportSource hono/jsx/dom */
import { closeNotice, useStore } from './store.ts';

const MAX_LINES = 8;

/** What happened, read out by screen readers as it comes. */
export function Notices() {
  const notices = useStore((state) => state.notices);
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.map(({ id, tone, text, lines }) => (
        <div key={id} class={`notice ${tone}`}>
          <div>
            <p>{text}</p>
            {lines.length > 0 ? (
              <ul>
                {lines.slice(0, MAX_LINES).map((line) => (
                  <li>{line}</li>
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
