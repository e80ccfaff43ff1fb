/*
 * Walks the published journeys (openapi/journeys.arazzo.yaml) against a sandbox of its own, by the
 * document alone: every answer's status, type and body are held against it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const sandbox = spawn(
  process.execPath,
  ['bin/micro-insurance-sandbox.cjs', '--port', '0', '--json'],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const [line] = await once(createInterface({ input: sandbox.stdout }), 'line');
const { url } = JSON.parse(line);

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
sandbox.kill();
process.exitCode = code ?? 1;
