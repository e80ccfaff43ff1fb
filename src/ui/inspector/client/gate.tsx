/* What the page shows without access. */

/** @jsxImportSource hono/jsx/dom */
import { enter } from './merchants.ts';
import { submitted } from './parts.tsx';
import { type Gate, useStore } from './store.ts';

export function GateView() {
  const gate = useStore((state) => state.gate);
  if (gate.kind === 'closed') return <SecretForm {...gate} />;
  return <main class="message" aria-busy="true" />;
}

type Closed = Extract<Gate, { kind: 'closed' }>;

/** Asks for the admin token, or for a merchant's key. */
function SecretForm({ hasToken, isWrong }: Closed) {
  const wanted = hasToken ? "the admin token or a merchant's key" : "a merchant's key";
  const submit = (event: Event) => {
    const secret = submitted(event).secret?.trim();
    if (secret) void enter(secret);
  };
  return (
    <main class="message">
      <h2 class="title">Enter {wanted}</h2>
      <form class="token" onSubmit={submit}>
        <input
          type="password"
          name="secret"
          autocomplete="off"
          aria-label={hasToken ? "Admin token or merchant's key" : "Merchant's key"}
          aria-invalid={String(isWrong)}
          aria-describedby="wrong-secret"
          autofocus
        />
        <button type="submit" class="primary">
          Open
        </button>
      </form>
      <p id="wrong-secret" class="bad" role="alert">
        {isWrong ? `This is not ${wanted}.` : ''}
      </p>
      <p class="muted">A key opens its own World. This tab keeps it until you close it.</p>
      {hasToken ? null : (
        <p class="muted">
          No admin token is set, so only the machine of the sandbox sees all merchants. To see them
          from here, set <code>SANDBOX_ADMIN_TOKEN</code> where the sandbox runs.
        </p>
      )}
    </main>
  );
}
