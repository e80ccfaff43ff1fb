import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  fillIn,
  keepSent,
  keepTyped,
  knownBody,
  redactedPaths,
  typedIn,
} from '../../src/ui/inspector/client/hidden-values.ts';
import { curlOf, placeholdersIn } from '../../src/ui/inspector/client/send-dialog.tsx';
import { commandParts } from '../../src/ui/layout/client/user-text.ts';
import { entry } from './entry.ts';

const REDACTED = '[redacted]';
const curl = (fields: Parameters<typeof entry>[0]) =>
  curlOf(entry(fields), 'http://127.0.0.1:4015', 'sk_mine', REDACTED);

/** The arguments that a shell passes to the command. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('a call as curl', () => {
  test('has the key of the merchant and only the headers that the caller chose', () => {
    const own = { authorization: REDACTED, 'sandbox-fault': 'after; drop' };
    const headers = { ...own, host: 'x', 'user-agent': 'y', 'sec-fetch-mode': 'cors' };
    const path = '/api/merchant/list?page=2';
    const command = curl({ method: 'GET', path, request: { headers, body: null } });
    expect(argumentsOf(command)).toEqual([
      '-H',
      'authorization: Bearer sk_mine',
      '-H',
      'sandbox-fault: after; drop',
      'http://127.0.0.1:4015/api/merchant/list?page=2',
    ]);
  });

  test('has field names in place of redacted values, and is safe in a shell', () => {
    const body = {
      name: "O'Neil $HOME `x`",
      nin_number: REDACTED,
      list: [{ nin_number: REDACTED }],
    };
    const call = { request: { headers: {}, body } };
    const args = argumentsOf(curl(call));
    expect(JSON.parse(args[args.indexOf('--data-raw') + 1] as string)).toEqual({
      name: "O'Neil $HOME `x`",
      nin_number: '<nin_number>',
      list: [{ nin_number: '<nin_number>' }],
    });
    expect(args).toContain('POST');
    expect(placeholdersIn(curl(call), entry(call))).toBe('<nin_number>');
    const own = { request: { headers: {}, body: { name: '<b>Ada</b>' } } };
    expect(placeholdersIn(curl(own), entry(own))).toBeUndefined();
  });

  test('waits for no body of a HEAD', () => {
    expect(argumentsOf(curl({ method: 'HEAD', request: { headers: {}, body: null } }))).toEqual(
      expect.arrayContaining(['--head']),
    );
  });

  test('sends a body that is not JSON unchanged', () => {
    const args = argumentsOf(curl({ request: { headers: {}, body: '{bad' } }));
    expect(args[args.indexOf('--data-raw') + 1]).toBe('{bad');
  });
});

test('redacted values are found by path and filled in, and stay redacted if left empty', () => {
  const body = { a: 1, nin_number: REDACTED, members: [{ nin_number: REDACTED, b: 'x' }] };
  expect(redactedPaths(body, REDACTED)).toEqual(['nin_number', 'members.0.nin_number']);
  expect(fillIn(body, { nin_number: '1', 'members.0.nin_number': '' })).toEqual({
    a: 1,
    nin_number: '1',
    members: [{ nin_number: REDACTED, b: 'x' }],
  });
});

test('a hidden value is known once it was typed, or if the page sent the call', () => {
  const request = { headers: {}, body: { first_name: 'Ada', nin_number: REDACTED } };
  expect(knownBody(entry({ request }), REDACTED)).toEqual(request.body);
  keepSent('req-1-9', '{"first_name":"Ada","nin_number":"11111111111"}');
  expect(knownBody(entry({ id: 'req-1-9', request }), REDACTED)).toEqual({
    first_name: 'Ada',
    nin_number: '11111111111',
  });
  expect(typedIn(entry({ id: 'req-1-9', request }), REDACTED)).toEqual([]);
  keepTyped({ nin_number: '22222222222', other: '' });
  expect(typedIn(entry({ request }), REDACTED)).toEqual(['nin_number']);
  expect(knownBody(entry({ request }), REDACTED)).toEqual({
    first_name: 'Ada',
    nin_number: '22222222222',
  });
});

test('a shown command breaks after slashes and commas, so that words stay whole', () => {
  const command = `curl -d '{"a":1,"b":2}' http://127.0.0.1:4010/api/merchant`;
  expect(commandParts(command)).toEqual([
    `curl -d '{"a":1,`,
    '"b":2}\' http://',
    '127.0.0.1:4010/',
    'api/',
    'merchant',
  ]);
});
