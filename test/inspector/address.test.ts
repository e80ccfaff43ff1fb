import { describe, expect, test } from 'vitest';
import { idOf, keyOf, merchantOf } from '../../src/ui/inspector/client/items.ts';
import { readAddress, writeAddress } from '../../src/ui/inspector/client/store.ts';
import { entry } from './entry.ts';

describe('the address of the inspector', () => {
  test.each([
    '?merchant=1&call=req-1-6',
    '?merchant=2&search=a+status%3A4xx',
    '?merchant=1&tab=records&family=motor&policy_number=INS&page=2&record=INS1',
    '?merchant=1&tab=faults',
    '?merchant=all',
    '?merchant=all&tab=merchants',
    '?merchant=all&call=req-1-6',
    '?merchant=2&call=req-1-6',
  ])('reads and writes %s unchanged', (query) => {
    expect(writeAddress(readAddress(query))).toBe(query);
  });

  test('takes the merchant from the call id, unless the call has no merchant', () => {
    expect(readAddress('?call=req-3-17')).toMatchObject({ merchant: 3, tab: 'calls' });
    expect(readAddress('?call=req-0-1').merchant).toBeUndefined();
    expect(readAddress('?merchant=all&call=req-3-17').merchant).toBeUndefined();
  });

  test('opens the call of the merchant that it names, where ids repeat', () => {
    const restored = entry({ id: 'req-1-6', merchant: { id: 2, name: 'Other' } });
    const own = entry({ id: 'req-1-6', merchant: { id: 1, name: 'Demo Merchant' } });
    expect(readAddress('?call=req-1-6&merchant=2')).toMatchObject({
      merchant: 2,
      call: keyOf(restored),
    });
    expect(readAddress('?call=req-1-6')).toMatchObject({ merchant: 1, call: keyOf(own) });
  });

  test('keeps whose call is open among all merchants', () => {
    const restored = entry({ id: 'req-1-6', merchant: { id: 2, name: 'Other' } });
    const address = { ...readAddress('?merchant=all'), call: keyOf(restored) };
    expect(readAddress(writeAddress(address))).toEqual(address);
    expect([merchantOf(address.call), idOf(keyOf(restored))]).toEqual([2, 'req-1-6']);
  });

  test('ignores invalid values', () => {
    const query = '?merchant=-1&tab=world&page=0';
    expect(readAddress(query)).toEqual(readAddress(''));
  });
});
