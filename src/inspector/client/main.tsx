/** @jsxImportSource hono/jsx/dom */
import { useState } from 'hono/jsx/dom';
import { createRoot } from 'hono/jsx/dom/client';

const App = () => {
  const [count, setCount] = useState(0);
  return (
    <main>
      <button type="button" onClick={() => setCount(count + 1)}>
        {count} clicks
      </button>
    </main>
  );
};

createRoot(document.getElementById('inspector') as HTMLElement).render(<App />);
