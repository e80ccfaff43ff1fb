import { once } from 'node:events';
import { readdirSync, rmSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createRandomState, nextFraction } from '../../src/core/random.ts';
import { newFolder } from '../node/command.ts';
import { verifyOf } from '../support/requests.ts';
import { type Account, auditWorld, countPolicies, noteVerified, openAccount } from './accounts.ts';
import { Caller, putSnapshot } from './http.ts';
import { largeSnapshot } from './large-world.ts';
import { launch, type Program, setting, start, tell } from './program.ts';
import { expectStatus, PURCHASES, type Traffic } from './traffic.ts';

const ROUNDS = setting('SOAK_ROUNDS', 20);
const SEED = setting('SOAK_SEED', 1);
const CLIENTS = 8;
/** So large that saving it takes a while. */
const LARGE = 5000;
const LARGE_KEY = 'sk-large';

interface Round {
  readonly file: string;
  readonly program: Program;
  readonly traffic: Traffic;
  readonly accounts: readonly Account[];
  /** A whole number below that. */
  chance(below: number): number;
}

/** How a round ends: with the program gone. */
const ENDS: Readonly<Record<string, (round: Round) => Promise<void>>> = {
  async 'killed at any moment'({ program, traffic, chance }) {
    await traffic.answered(1 + chance(600));
    traffic.expectCut();
    await program.command.stop('SIGKILL');
  },
  async 'killed as it takes a snapshot'({ program, traffic, chance }) {
    const put = putLarge(program).catch(() => undefined);
    await traffic.answered(1 + chance(100));
    traffic.expectCut();
    await program.command.stop('SIGKILL');
    await put;
  },
  async 'killed as it saves what a snapshot was put into'({ file, program, traffic, chance }) {
    const saving = nextFile(file, '.tmp');
    expectStatus(await putLarge(program), 200);
    await saving;
    await traffic.answered(1 + chance(100));
    traffic.expectCut();
    await program.command.stop('SIGKILL');
  },
  async stopped({ program, traffic }) {
    await traffic.answered(100);
    traffic.expectCut();
    expect(await program.command.stop()).toMatchObject({ code: 0, err: '' });
  },
  async 'killed as it stops'({ file, program, traffic, chance }) {
    await traffic.answered(100);
    traffic.expectCut();
    const saving = nextFile(file, '.tmp');
    program.command.process.kill('SIGTERM');
    await saving;
    await wait(chance(50));
    await program.command.stop('SIGKILL');
  },
  async 'killed as it saves what was reset'({ file, program, traffic, accounts, chance }) {
    traffic.stop();
    await traffic.caller.call('/livez');
    const saving = nextFile(file, '.tmp');
    expectStatus(await call(program, '/_sandbox/reset_all'), 200, 204);
    await saving;
    for (const account of accounts) Object.assign(account, openAccount(account.key));
    await wait(chance(20));
    await program.command.stop('SIGKILL');
  },
};
