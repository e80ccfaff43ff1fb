import { describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../../src/ui/inspector/client/store.ts';

describe('the address of the inspector', () => {
  test.each([
    '?merchant=1&tab=calls&call=req-1-6',
    '?merchant=2&tab=calls&show=refused&search=a+b&operation=verifyMotorPolicy&status=4',
    '?merchant=1&tab=records&family=motor&policy_number=INS&page=2&record=INS1',
    '?merchant=1&tab=world',
    '?tab=calls',
    '?merchant=all&tab=calls&call=req-1-6',
  ])('reads and writes %s unchanged', (query) => {
    expect(writeAddress(readAddress(query))).toBe(query);
  });

  test('takes the merchant from the call id, unless the call has no merchant', () => {
    expect(readAddress('?call=req-3-17')).toMatchObject({ merchant: 3, tab: 'calls' });
    expect(readAddress('?call=req-0-1').merchant).toBeUndefined();
    expect(readAddress('?merchant=all&call=req-3-17').merchant).toBeUndefined();
  });

  test('ignores invalid values', () => {
    const query = '?merchant=-1&tab=nothing&show=x&status=9&page=0';
    expect(readAddress(query)).toEqual(readAddress(''));
  });
});
