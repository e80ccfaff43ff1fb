import { rmSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createRandomState, nextFraction } from '../../src/world/random.ts';
import { newFolder } from '../node/command.ts';
import { amountOf } from '../support/depth.ts';
import { type Account, auditWorld, countPolicies, openAccount } from './accounts.ts';
import { Caller, putSnapshot } from './http.ts';
import { largeSnapshot } from './large-world.ts';
import { launch, type Program, start, tell } from './program.ts';
import { expectStatus, PURCHASES, Traffic } from './traffic.ts';

const ROUNDS = amountOf({ sample: 1, ci: 2, all: 40 });
const SEED = 1;
const CLIENTS = 8;
/** Enough subscriptions to make a save slow. */
const MANY = 5000;
/** The merchant with these subscriptions. */
const LARGE = openAccount('sk-large');

interface Round {
  readonly file: string;
  readonly program: Program;
  readonly traffic: Traffic;
  /** A random integer below the given one. */
  random(below: number): number;
}

/** The ways in which a program under load ends. */
const ENDS: Readonly<Record<string, (round: Round) => Promise<void>>> = {
  'killed at any moment': async ({ program, traffic, random }) => {
    await traffic.answered(1 + random(600));
    await kill(program, traffic);
  },
  'killed while it takes a snapshot': async ({ program, traffic, random }) => {
    const put = putLarge(program).catch(() => undefined);
    await traffic.answered(1 + random(200));
    await kill(program, traffic);
    await put;
  },
  'killed while it saves what was put into it': async ({ file, program, traffic, random }) => {
    const saving = nextSave(file);
    expectStatus(await putLarge(program), 200);
    await saving;
    await traffic.answered(1 + random(60));
    await kill(program, traffic);
  },
  stopped: async ({ program, traffic, random }) => {
    await traffic.answered(1 + random(200));
    traffic.expectCut();
    expect(await program.command.stop()).toMatchObject({ code: 0, err: '' });
  },
  'stopped while it saves what was put into it': async ({ file, program, traffic }) => {
    const saving = nextSave(file);
    expectStatus(await putLarge(program), 200);
    await saving;
    traffic.expectCut();
    expect(await program.command.stop()).toMatchObject({ code: 0, err: '' });
  },
  'killed while it stops': async ({ file, program, traffic, random }) => {
    await traffic.answered(1 + random(200));
    traffic.expectCut();
    const saving = nextSave(file);
    program.command.process.kill('SIGTERM');
    await saving;
    await wait(random(60));
    await program.command.stop('SIGKILL');
  },
};

async function kill({ command }: Program, traffic: Traffic): Promise<void> {
  traffic.expectCut();
  await command.stop('SIGKILL');
}

const putLarge = ({ url }: Program) => putSnapshot(url, LARGE.key, largeSnapshot(MANY));

/** Resolves when a save creates the temporary file that replaces the state file. */
const nextSave = (file: string): Promise<void> => nextFile(file, (name) => name.endsWith('.tmp'));

function nextFile(file: string, isMeant: (name: string) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(file), (_, name) => {
      if (name === null || !isMeant(name)) return;
      watcher.close();
      resolve();
    });
  });
}

/** Expects everything that clients know from responses before the restart. */
async function expectAllThere({ url }: Program, accounts: readonly Account[]): Promise<void> {
  const traffic = new Traffic(url, accounts, SEED, CLIENTS);
  const { caller } = traffic;
  for (const account of accounts) {
    for (const policy of account.policies) {
      const { shown } = policy;
      policy.isBusy = false;
      const text = await traffic.show(account, policy);
      if (shown !== undefined) expect(text).toBe(shown);
    }
    await traffic.verifyAll(account);
    const snapshot = await caller.call('/_sandbox/snapshot', { key: account.key });
    expect(auditWorld(account, expectStatus(snapshot, 200).body)).toEqual([]);
  }
  const { body } = await caller.operate('listMicroHealthSubscriptions', LARGE.key);
  expect([0, MANY]).toContain(body.data.total);
  caller.close();
}

const newStateFile = (): string => {
  const file = join(newFolder(), 'state.json');
  onTestFinished(() => rmSync(dirname(file), { recursive: true, force: true }));
  return file;
};

const argsOf = (file: string) => ['--state', file, '--auto-merchants'];

test(`no confirmed change is lost in ${ROUNDS} rounds of load, kills and stops`, async () => {
  const file = newStateFile();
  const state = createRandomState(SEED, 0);
  const random = (below: number) => Math.floor(nextFraction(state) * below);
  const accounts = Array.from({ length: 4 }, (_, n) => openAccount(`sk-worker-${n}`));
  const names = Object.keys(ENDS);
  for (let round = 0; round < ROUNDS; round++) {
    const program = await start(argsOf(file));
    await expectAllThere(program, accounts);
    const traffic = new Traffic(program.url, accounts, SEED + round, CLIENTS);
    const ran = traffic.run(PURCHASES, CLIENTS);
    const name = names[round % names.length] as string;
    await Promise.all([ENDS[name]?.({ file, program, traffic, random }), ran]);
    tell(`round ${round + 1}`, `${name} after ${traffic.answers} calls`);
    if (round % 4 === 3) await killAtStart(file, random(400));
  }
  const program = await start(argsOf(file));
  await expectAllThere(program, accounts);
  expect(await program.command.stop()).toMatchObject({ code: 0, err: '' });
  tell('all rounds', `${countPolicies(accounts)} policies`);
});

/** Starts a command, and kills it a number of milliseconds after it locks the file. */
async function killAtStart(file: string, ms: number): Promise<void> {
  const locked = nextFile(file, (name) => name === `${basename(file)}.lock`);
  const command = launch(argsOf(file));
  await locked;
  await wait(ms);
  await command.stop('SIGKILL');
}

test('a reset of all Worlds survives a kill during its save', async () => {
  const file = newStateFile();
  const [account, others] = [openAccount('sk-worker'), [openAccount('sk-worker')]];
  const program = await start(argsOf(file));
  const traffic = new Traffic(program.url, [account], SEED, CLIENTS);
  const ran = traffic.run(PURCHASES, CLIENTS);
  await traffic.answered(200);
  traffic.stop();
  await ran;
  expectStatus(await putLarge(program), 200);
  const saving = nextSave(file);
  const caller = new Caller(program.url);
  expectStatus(await caller.call('/_sandbox/reset_all', { method: 'POST' }), 200);
  caller.close();
  await saving;
  await program.command.stop('SIGKILL');
  await expectAllThere(await start(argsOf(file)), others);
});

test('a second sandbox on a file is refused, unless the first was killed', async () => {
  const file = newStateFile();
  const first = await start(argsOf(file));
  for (let time = 0; time < 3; time++) {
    const second = await launch(argsOf(file)).ended;
    expect(second).toMatchObject({ code: 2, out: '' });
    expect(second.err).toMatch(/^micro-insurance-sandbox: .*state\.json: is in use by .*\n$/);
  }
  const account = openAccount('sk-worker');
  const traffic = new Traffic(first.url, [account], SEED, CLIENTS);
  const ran = traffic.run(PURCHASES, CLIENTS);
  await traffic.answered(200);
  await kill(first, traffic);
  await ran;
  // If several start at once after the kill, only one takes the lock.
  const several = Array.from({ length: 4 }, () => launch(argsOf(file)));
  const outcomes = await Promise.allSettled(several.map((command) => command.started()));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const [place, command] of several.entries()) {
    if (outcomes[place]?.status === 'rejected') expect((await command.ended).code).toBe(2);
    else {
      const { code, err } = await command.stop();
      expect(code).toBe(0);
      // The kill may have cut a line that was being written, whose call got no response.
      expect(err).toMatch(/^(\S+ \S+ the last line of its log is incomplete; .*\n)?$/);
    }
  }
  await expectAllThere(await start(argsOf(file)), [account]);
});
