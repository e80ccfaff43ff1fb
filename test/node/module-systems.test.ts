import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const require = createRequire(import.meta.url);

/** The published modules of `import` and of `require`. */
const ENTRIES = ['', '/node'].map((entry) => ({
  name: `${manifest.name}${entry}`,
  load: () => import(`../../dist/${entry === '' ? 'index' : 'node'}.js`),
}));

type ErrorClass = abstract new (...args: never[]) => Error;

const errorClasses = (module: object): [string, ErrorClass][] =>
  Object.entries(module).filter(([name]) => name.endsWith('Error'));

describe.each(ENTRIES)('the errors of $name', ({ name, load }) => {
  test('are instances of their class in the other module system', async () => {
    const [imported, required] = [await load(), require(name)];
    const classes = errorClasses(imported);
    expect(classes.map(([each]) => each)).toEqual(errorClasses(required).map(([each]) => each));
    expect(classes.length).toBeGreaterThan(1);
    for (const [own, Imported] of classes) {
      for (const [other, Required] of errorClasses(required)) {
        expect(Imported).not.toBe(Required);
        expect(Object.create(Imported.prototype) instanceof Required, own).toBe(own === other);
        expect(Object.create(Required.prototype) instanceof Imported, own).toBe(own === other);
      }
      for (const value of [new Error(own), { name: own }, own, null, undefined]) {
        expect(value instanceof (Imported as ErrorClass)).toBe(false);
      }
      class Special extends (Imported as new () => Error) {}
      expect(Object.create(Special.prototype)).toBeInstanceOf(Imported);
      expect(Object.create(Imported.prototype) instanceof Special).toBe(false);
    }
  });
});

test('a refusal of one copy is caught as the ControlError of the other', async () => {
  const { createSandbox } = await import(`../../dist/${'index'}.js`);
  const { ControlError } = require(manifest.name);
  expect(() => createSandbox({ seed: -1 })).toThrow(ControlError);
  expect(() => createSandbox().merchant('sk_nobody')).toThrow(ControlError);
});

describe('without the classes of the platform, as under jest-environment-jsdom,', () => {
  const remove = `
    for (const name of ['Request', 'Response', 'Headers', 'ReadableStream', 'TextEncoder', 'TextDecoder', 'fetch']) {
      Reflect.deleteProperty(globalThis, name);
    }
  `;
  const why =
    'Error: micro-insurance-sandbox needs Request, Response, Headers, ReadableStream, TextEncoder, which this environment does not have. In Jest, use the environment "node": write /** @jest-environment node */ at the top of the test file.';

  test.each(
    ENTRIES.flatMap(({ name }) => [
      ['commonjs', `require('${name}')`],
      ['module', `await import('${name}')`],
    ]),
  )('%s: %s names the environment to use', async (type, load) => {
    const loading = promisify(execFile)(process.execPath, [
      `--input-type=${type}`,
      '--eval',
      remove + load,
    ]);
    await expect(loading).rejects.toMatchObject({ stderr: expect.stringContaining(why) });
  });
});
