import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveSandbox } from '../check/command.ts';
import { Command } from '../node/command.ts';
import { operationOf, requestOf } from '../support/client.ts';
import { exampleOf } from '../support/requests.ts';
import { DEMO_KEY } from './support.ts';

const OTHERWISE = { version: 1, decisions: { 'success-messages': { getMotorQuote: 'Quoted' } } };

/**
 * The program after a call that differed, with a report and a profile to write.
 *
 * @param fault the code of a module that is loaded before the program
 */
async function proxyWith(fault = '') {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  const [preload, report, profile] = ['fault.cjs', 'report.json', 'profile.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(preload, `const { Server } = require('node:net');\n${fault}`);
  const { url } = await serveSandbox({ profile: OTHERWISE });
  const flags = ['--port', '0', '--report', report, '--write-profile', profile];
  const proxy = new Command(['proxy', '--target', url, ...flags], {
    NODE_OPTIONS: `--require=${preload}`,
  });
  const own = /proxy at (\S+)/.exec(await proxy.started())?.[1] as string;
  const quote = exampleOf('getMotorQuote');
  const answer = await fetch(requestOf(operationOf('getMotorQuote'), own, DEMO_KEY, quote));
  expect(answer.status).toBe(200);
  return { proxy, url: own, folder, report, profile };
}

/** What the report and the profile hold, each a whole JSON. */
const written = ({ report, profile }: { report: string; profile: string }) =>
  [report, profile].map((file) => JSON.parse(readFileSync(file, 'utf8')));

const COMPLETE = [{ requests: 1, profile: OTHERWISE }, OTHERWISE];

describe('the report and the profile are written', () => {
  test.each([
    ['an error that nobody catches', "process.on('SIGUSR2', () => { throw new Error('boom'); });"],
    [
      'a rejection that nobody handles',
      "process.on('SIGUSR2', () => Promise.reject(new Error('boom')));",
    ],
    [
      'errors of the server',
      `const { listen } = Server.prototype;
      Server.prototype.listen = function (...args) {
        process.on('SIGUSR2', () => {
          for (const turn of [1, 2]) this.emit('error', new Error('boom'));
        });
        return listen.apply(this, args);
      };`,
    ],
    [
      'a server that can not be closed',
      `Server.prototype.close = () => { throw new Error('boom'); };
      process.on('SIGUSR2', () => process.kill(process.pid, 'SIGTERM'));`,
    ],
  ])('after %s, which is told in one line', async (_what, fault) => {
    const started = await proxyWith(fault);
    const { code, err } = await started.proxy.stop('SIGUSR2');
    expect(code).toBe(1);
    expect(err).toBe('micro-insurance-sandbox: the proxy stopped on an unexpected error: boom\n');
    expect(written(started)).toMatchObject(COMPLETE);
  });

  test('on a second signal', async () => {
    const started = await proxyWith(
      "Server.prototype.close = function () { process.kill(process.pid, 'SIGINT'); return this; };",
    );
    const { code, err } = await started.proxy.stop('SIGINT');
    expect(code).toBe(130);
    expect(err).toBe('');
    expect(written(started)).toMatchObject(COMPLETE);
  });
});

test.each(['report', 'profile'] as const)(
  'a %s that can not be written leaves the other one written',
  async (lost) => {
    const started = await proxyWith();
    mkdirSync(started[lost]);
    const { code, out, err } = await started.proxy.stop();
    expect(code).toBe(2);
    expect(err).toMatch(
      new RegExp(`^micro-insurance-sandbox: ${started[lost]}: could not be written: .+\n$`),
    );
    expect(out).toContain('1 difference');
    const other = lost === 'report' ? 'profile' : 'report';
    expect(JSON.parse(readFileSync(started[other], 'utf8'))).toMatchObject(
      lost === 'report' ? OTHERWISE : { requests: 1 },
    );
  },
);
