/* What the page shows without access, or without a sandbox. */

/** @jsxImportSource hono/jsx/dom */
import { enter } from './merchants.ts';
import { submitted, UserText } from './parts.tsx';
import { type Gate, useStore } from './store.ts';

export function GateView() {
  const gate = useStore((state) => state.gate);
  if (gate.kind === 'closed') return <SecretForm {...gate} />;
  if (gate.kind === 'unreachable') {
    return (
      <main class="message">
        <h2 class="title">Cannot reach the sandbox</h2>
        <p>
          <UserText whole text={gate.detail} />
        </p>
        <p class="muted">Trying again every two seconds.</p>
      </main>
    );
  }
  return <main class="message" aria-busy="true" />;
}

type Closed = Extract<Gate, { kind: 'closed' }>;

/** Asks for the admin token, or for a merchant's key. */
function SecretForm({ hasToken, isWrong }: Closed) {
  const label = hasToken ? "Admin token or merchant's key" : "Merchant's key";
  const submit = (event: Event) => {
    const secret = submitted(event).secret?.trim();
    if (secret) void enter(secret);
  };
  return (
    <main class="message">
      <h2 class="title">
        {hasToken ? "Enter the admin token or a merchant's key" : "Enter a merchant's key"}
      </h2>
      <form class="token" onSubmit={submit}>
        <input
          type="password"
          name="secret"
          autocomplete="off"
          aria-label={label}
          aria-invalid={String(isWrong)}
          aria-describedby="wrong-secret"
          autofocus
        />
        <button type="submit" class="primary">
          Open
        </button>
      </form>
      <p id="wrong-secret" class="bad" role="alert">
        {isWrong
          ? hasToken
            ? "This is neither the admin token nor a merchant's key."
            : 'No merchant has this key.'
          : ''}
      </p>
      <p class="muted">
        {hasToken
          ? 'The token opens all merchants, a key its own. This tab keeps it until you close it.'
          : 'It opens the World of that merchant. This tab keeps it until you close it.'}
      </p>
      {hasToken ? null : (
        <p class="muted">
          No admin token is set, so only the machine of the sandbox sees all merchants. To see them
          from here, set <code>SANDBOX_ADMIN_TOKEN</code> where the sandbox runs.
        </p>
      )}
    </main>
  );
}
