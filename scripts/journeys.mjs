/*
 * Runs the published journeys (openapi/journeys.arazzo.yaml) against a new sandbox, and compares the status, type and
 * body of every response with the document.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startCommand } from './sandbox.mjs';

const { url, stop } = await startCommand();

const walk = spawn(
  'node_modules/.bin/redocly',
  [
    'respect',
    'openapi/journeys.arazzo.yaml',
    '--input',
    'apiKey=sk_sandbox_other',
    '--server',
    `merchant=${url}`,
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
);
const [code] = await once(walk, 'exit');
stop();
process.exitCode = code ?? 1;
