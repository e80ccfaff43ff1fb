/* What the page shows without access, or without a sandbox. */

/** @jsxImportSource hono/jsx/dom */
import { submitted, UserText } from './parts.tsx';
import { enter } from './session.ts';
import { useStore } from './store.ts';

export function GateView() {
  const gate = useStore((state) => state.gate);
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
  if (gate.kind === 'token') {
    return (
      <main class="message">
        <TokenForm wrong={gate.wrong === 'token'} isFirst />
        <KeyForm wrong={gate.wrong === 'key'} />
      </main>
    );
  }
  if (gate.kind === 'key') {
    return (
      <main class="message">
        <KeyForm wrong={gate.wrong === 'key'} isFirst />
        <HowToSetToken />
      </main>
    );
  }
  return <main class="message" aria-busy="true" />;
}

interface FormProps {
  /** Whether the sandbox refused what was entered. */
  wrong: boolean;
  /** Whether it has the focus. */
  isFirst?: boolean;
}

const TokenForm = ({ wrong, isFirst }: FormProps) => (
  <section>
    <h2 class="title">Enter the admin token</h2>
    <p>
      It is the sandbox's <code>SANDBOX_ADMIN_TOKEN</code>, and opens all merchants. This tab keeps
      it until you close it.
    </p>
    <SecretForm
      label="Admin token"
      what="token"
      isFirst={isFirst}
      problem={wrong ? 'This is not the admin token of the sandbox.' : ''}
    />
  </section>
);

const KeyForm = ({ wrong, isFirst }: FormProps) => (
  <section>
    <h2 class="title">Enter a merchant's key</h2>
    <p>
      The key opens the calls, records, clock and faults of that merchant. This tab keeps it until
      you close it.
    </p>
    <SecretForm
      label="Merchant's key"
      what="key"
      isFirst={isFirst}
      problem={wrong ? 'No merchant has this key.' : ''}
    />
  </section>
);

interface SecretFormProps {
  label: string;
  what: 'token' | 'key';
  problem: string;
  isFirst: boolean | undefined;
}

function SecretForm({ label, what, problem, isFirst }: SecretFormProps) {
  const submit = (event: Event) => {
    const secret = submitted(event).secret?.trim();
    if (secret) void enter(secret, what);
  };
  return (
    <>
      <form class="token" onSubmit={submit}>
        <input
          type="password"
          name="secret"
          autocomplete="off"
          aria-label={label}
          aria-invalid={String(problem !== '')}
          aria-describedby={`${what}-problem`}
          autofocus={isFirst}
        />
        <button type="submit" class={isFirst ? 'primary' : ''}>
          {what === 'token' ? 'Open' : 'Use this key'}
        </button>
      </form>
      <p id={`${what}-problem`} class="bad" role="alert">
        {problem}
      </p>
    </>
  );
}

const HowToSetToken = () => (
  <section>
    <h2 class="title">No admin token is set</h2>
    <p>
      Without one, only the machine of the sandbox sees all merchants. To see them from here, set{' '}
      <code>SANDBOX_ADMIN_TOKEN</code> where the sandbox runs. The inspector then asks for it.
    </p>
  </section>
);
