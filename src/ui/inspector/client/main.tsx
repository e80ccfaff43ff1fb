/** @jsxImportSource hono/jsx/dom */
import { createRoot } from 'hono/jsx/dom/client';
import { App } from './app.tsx';
import { start } from './session.ts';

createRoot(document.getElementById('inspector') as HTMLElement).render(<App />);
start();
