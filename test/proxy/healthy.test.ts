import { describe, expect, test, vi } from 'vitest';
import { check, differencesOf } from '../../src/check/index.ts';
import { systemNow, wait } from '../../src/core/clock.ts';
import { proxiedSandbox } from './support.ts';

vi.setConfig({ testTimeout: 60_000 });

const KEY = 'sk_sandbox_demo';

describe('a healthy sandbox behind the proxy', () => {
  test('shows no difference to a whole check: every operation, every refusal, clocks that move', async () => {
    const { proxy } = await proxiedSandbox();
    const report = await check({ url: proxy.url, key: KEY }, fetch, { now: systemNow, wait });
    console.log(differencesOf(report).length, proxy.told.length);
    expect(proxy.remarkable().filter(({ operation }) => operation !== null)).toEqual([]);
  });
});
