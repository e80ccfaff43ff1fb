// Every way in which Playwright calls a test failed. scripts/consumers.mjs reads what each attempt prints and leaves.
import { expect } from '@playwright/test';
import { test } from 'micro-insurance-sandbox/playwright';

const call = (merchant) => merchant.call('listMotorPolicies');
const failing = (where) => {
  throw new Error(`fails ${where}`);
};

test('body', async ({ merchant }) => {
  await call(merchant);
  failing('in the body');
});

test.describe('hooks', () => {
  test.beforeEach(async ({ merchant }, { title }) => {
    await call(merchant);
    if (title === 'before each') failing('in beforeEach');
  });
  test.afterEach(async ({ sandbox }, { title }) => {
    expect(sandbox.url).toContain('127.0.0.1');
    if (title === 'after each') failing('in afterEach');
  });
  test('before each', () => {});
  test('after each', () => {});
});

test.extend({
  shop: async ({ merchant }, use) => {
    await use(1);
    await call(merchant);
    failing('in a teardown');
  },
})('teardown', ({ shop }) => expect(shop).toBe(1));

test.extend({
  shop: [
    async ({ sandbox }, use) => {
      await use(sandbox.url);
      failing('in an own teardown');
    },
    { auto: true },
  ],
})('own teardown', ({ merchant }) => call(merchant));

test('soft', async ({ merchant }) => {
  await call(merchant);
  expect.soft(1).toBe(2);
});

test('time-out', async ({ merchant }) => {
  test.setTimeout(300);
  await call(merchant);
  await new Promise(() => {});
});

test('object', async ({ merchant }) => {
  await call(merchant);
  throw { status: 500 };
});

test.describe('tries', () => {
  test.describe.configure({ retries: 1 });
  test('retried', async ({ merchant }, { retry }) => {
    await call(merchant);
    if (retry === 0) failing('the first time');
  });
  test('in vain', async ({ merchant }, { retry }) => {
    await merchant.call(retry === 0 ? 'listGroupLifePolicies' : 'listMotorPolicies');
    failing(`try ${retry}`);
  });
});

test('unused fault', ({ merchant }) => {
  merchant.faults.add({ stage: 'after', effect: { kind: 'drop' } });
});

test('as expected', async ({ merchant }) => {
  test.fail();
  await call(merchant);
  failing('as it should');
});

test('not as expected', async ({ merchant }) => {
  test.fail();
  await call(merchant);
});

test('passes', ({ merchant }) => call(merchant));
