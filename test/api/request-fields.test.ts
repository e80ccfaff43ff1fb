import { z } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import * as texts from '../../src/api/request-fields.ts';
import * as numbers from '../../src/api/request-fields.ts';

const fields = { ...texts, ...numbers };

/** The parsed value, or the message of the refusal. */
function read(field: z.core.$ZodType, sent: unknown) {
  const parsed = z.safeParse(field, sent);
  return parsed.success ? parsed.data : { refused: parsed.error.issues[0]?.message };
}
const refused = (demand: string) => ({ refused: demand });

test('every required field says that it is required', () => {
  const required = [
    fields.text(),
    fields.address(),
    fields.lookupText(),
    fields.year(),
    fields.phoneOrNumber(),
    fields.textOrNumber(),
    fields.phone(),
    fields.email(),
    fields.date(),
    fields.gender(),
    fields.url(),
    fields.amount(),
    fields.cost(),
    fields.count(),
    fields.countAsSent(),
    fields.productId(),
    fields.identityNumber(),
    fields.word({ monthly: 'monthly' }),
  ];
  for (const field of required) expect(read(field, undefined)).toEqual(refused('is required.'));
});

describe('a text', () => {
  test('is returned as sent', () => {
    for (const text of [' Ada ', 'Ọláyínká', '👩🏾‍⚕️']) {
      expect(read(fields.text(), text)).toBe(text);
    }
  });

  const unfit = refused('must not contain control characters or lone surrogates.');

  test.each(['a\u0000', 'a\u001b[2J', '\u007f', '\u0085', '\ud800'])('cannot be %j', (text) => {
    expect(read(fields.text(), text)).toEqual(unfit);
    expect(read(fields.address(), text)).toEqual(unfit);
  });

  test.each(['12 Ogui Road\nEnugu', '12 Ogui Road\r\n', 'a\tb'])(
    'has line breaks and tabs only in an address: %j',
    (text) => {
      expect(read(fields.text(), text)).toEqual(unfit);
      expect(read(fields.address(), text)).toBe(text);
    },
  );
});

describe('phone and identity numbers', () => {
  test('a phone number is a text of 11 digits', () => {
    expect(read(fields.phone(), '08031234567')).toBe('08031234567');
    for (const sent of ['0803123456', '080312345678', '+2348031234', '0803123456a', 8031234567]) {
      expect(read(fields.phone(), sent)).toEqual(refused('must be 11 digits.'));
    }
  });

  test('an identity number is 11 digits, sent as a number or text and read as text', () => {
    expect(read(fields.identityNumber(), 12345678901)).toBe('12345678901');
    expect(read(fields.identityNumber(), '01234567890')).toBe('01234567890');
    for (const sent of [1234567890, 123456789012, 12345678901.5, '1234567890', true]) {
      expect(read(fields.identityNumber(), sent)).toEqual(refused('must be 11 digits.'));
    }
  });
});

test.each(['a@b.c', 'é@x.com', 'a@b', 'a b@x.com', 'a@x.com, b@x.com', 'a@x.c0', '@x.com'])(
  'an e-mail address cannot be %j',
  (sent) => {
    expect(read(fields.email(), sent)).toEqual(refused('must be an e-mail address.'));
  },
);

describe('numbers', () => {
  const amountDemand = refused('must be a number above 0 and at most 1000000000000.');

  test('an amount is a number or a text of decimal digits', () => {
    for (const [sent, meant] of [
      [700, 700],
      ['700', 700],
      ['700.50', 700.5],
      ['700.000', 700],
      ['0.010', 0.01],
      [700.07, 700.07],
      [999_999_999_999.99, 999_999_999_999.99],
      ['999999999999.99', 999_999_999_999.99],
      ['1000000000000.00', 1e12],
      [0.01, 0.01],
      [1e12, 1e12],
    ]) {
      expect(read(fields.amount(), sent)).toBe(meant);
    }
  });

  test.each([
    0,
    -1,
    '0',
    '-1',
    '1e3',
    '.5',
    '5.',
    '7,000',
    ' 5',
    'abc',
    true,
    [],
    1e12 + 1,
    '1000000000000.01',
    '0.00',
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('an amount cannot be %o', (sent) => {
    expect(read(fields.amount(), sent)).toEqual(amountDemand);
  });

  test.each([0.001, 700.001, '700.001', '0.001', 1e-7, '700.0010'])(
    'an amount has at most two decimal places, unlike %j',
    (sent) => {
      const demand = refused('must have at most two decimal places.');
      expect(read(fields.amount(), sent)).toEqual(demand);
      expect(read(fields.cost(), sent)).toEqual(demand);
    },
  );

  test('a count is a whole number from 1', () => {
    expect([1, '2', '007'].map((sent) => read(fields.count(), sent))).toEqual([1, 2, 7]);
    for (const sent of [0, -1, 1.5, '1.0', '0', 'two', 2 ** 53, '99999999999999999999']) {
      expect(read(fields.count(), sent)).toEqual(refused('must be a whole number, 1 or more.'));
    }
  });

  test('a count can be returned in the form it was sent in', () => {
    for (const sent of [1, '2', '007']) expect(read(fields.countAsSent(), sent)).toBe(sent);
    for (const sent of [0, 1.5, '1.0', '0', '00', 'two', 2 ** 53, '99999999999999999999']) {
      expect(read(fields.countAsSent(), sent)).toEqual(
        refused('must be a whole number, 1 or more.'),
      );
    }
  });
});

describe('other kinds of field', () => {
  test('a date is a real calendar day', () => {
    expect(read(fields.date(), '2024-02-29')).toBe('2024-02-29');
    for (const sent of [
      '2023-02-29',
      '2024-2-29',
      '29-02-2024',
      '2024-02-29T00:00:00Z',
      20240229,
    ]) {
      expect(read(fields.date(), sent)).toEqual(
        refused('must be a calendar day in the form YYYY-MM-DD.'),
      );
    }
  });

  test('a gender is female or male in any case, and is returned as sent', () => {
    for (const sent of ['female', 'Male', 'FEMALE']) expect(read(fields.gender(), sent)).toBe(sent);
    for (const sent of ['f', 'femalemale', 'male ', 1]) {
      expect(read(fields.gender(), sent)).toEqual(refused('must be female or male.'));
    }
  });

  test('an e-mail address has a name and a domain', () => {
    expect(read(fields.email(), 'ada@example.com')).toBe('ada@example.com');
    for (const sent of ['ada', 'ada@', '@example.com', 'a b@example.com', 5]) {
      expect(read(fields.email(), sent)).toEqual(refused('must be an e-mail address.'));
    }
  });

  test('a URL is absolute, http or https', () => {
    for (const sent of ['https://files.example.com/id.png', 'HTTP://localhost:8080/a?b#c']) {
      expect(read(fields.url(), sent)).toBe(sent);
    }
    for (const sent of [
      'id.png',
      '//x.com/a',
      'ftp://x.com',
      'https://',
      'https:/x.com',
      'https://x.com/a b',
      'javascript:alert(1)',
      5,
    ]) {
      expect(read(fields.url(), sent)).toEqual(refused('must be an absolute http or https URL.'));
    }
  });

  test('a word may be a synonym, but not an inherited property name', () => {
    const field = fields.word({ monthly: 'monthly', annually: 'annually', yearly: 'annually' });
    expect(read(field, 'yearly')).toBe('annually');
    for (const sent of ['Monthly', 'weekly', 'toString', '__proto__', 1]) {
      expect(read(field, sent)).toEqual(refused('must be one of monthly, annually, yearly.'));
    }
  });
});
