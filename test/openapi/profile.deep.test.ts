import { beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHED_STATUSES } from '../../src/api/refusals.ts';
import { profileOptions } from '../../src/control/profile.ts';
import { documentPath } from '../../src/openapi/operation-route.ts';
import { ASSUMPTIONS } from '../../src/products/world.ts';
import { createDemoClient, operationOf, operations } from '../support/client.ts';
import { amountOf } from '../support/depth.ts';
import { answerValidator, responseOf } from '../support/document-validation.ts';
import { type Answered, everyAnswer } from '../support/every-answer.ts';
import { documentOf, EDITIONS, OTHERWISE, withProfile } from '../support/served-documents.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read documents as untyped JSON
type Any = any;

const PROFILES: readonly (readonly [what: string, decisions: Readonly<Record<string, unknown>>])[] =
  [
    ['every assumption at once', OTHERWISE],
    [
      'HTTP status 200 for refusals',
      {
        'http-status': Object.fromEntries(
          Object.keys(PUBLISHED_STATUSES).map((code) => [code, 200]),
        ),
        'subscriptions-key': 'array',
      },
    ],
    ['integer codes', { 'error-code-type': 'integer' }],
    ['"expired" for used tokens', { 'token-used': 'expired' }],
    ['"unknown" for used tokens', { 'token-used': 'unknown' }],
    ['the same policy for used tokens', { 'token-used': 'same-policy' }],
    ['an identity number that may be left out', { 'nin-number': { required: false } }],
    ...Object.entries(OTHERWISE).map(([id, value]) => [id, { [id]: value }] as const),
  ];

test('every assumption with alternatives is tested here', () => {
  expect(new Set(Object.keys(OTHERWISE))).toEqual(new Set(Object.keys(profileOptions)));
});

describe.each(PROFILES.slice(0, amountOf({ sample: 2, ci: 5, all: PROFILES.length })))(
  'with a profile that sets %s',
  (_what, decisions) => {
    let answered: readonly Answered[];
    let editions: readonly Any[];

    beforeAll(async () => {
      const client = createDemoClient(withProfile(decisions));
      answered = await everyAnswer(client);
      editions = await Promise.all(EDITIONS.map(([path]) => documentOf(client.sandbox, path)));
    });

    test('both documents describe every response of the sandbox and their own examples', () => {
      for (const document of editions) {
        const validate = answerValidator(document);
        const wrong = [
          ...answered.map(
            ({ operationId, answer }) => [operationId, answer.status, answer.body] as const,
          ),
          ...declaredIn(document).flatMap(({ operationId, status }) =>
            examplesOf(document, operationId, status).map(
              (each) => [operationId, status, each] as const,
            ),
          ),
        ].flatMap((each) => validate(...each));
        expect([...new Set(wrong)], document.openapi).toEqual([]);
      }
    });

    test('both documents declare exactly the statuses that are returned', () => {
      const seen = answered.map(({ operationId, answer }) => `${operationId} ${answer.status}`);
      for (const document of editions) {
        const declared = declaredIn(document).map((each) => `${each.operationId} ${each.status}`);
        expect(declared.toSorted(), document.openapi).toEqual([...new Set(seen)].toSorted());
      }
    });

    test('refusals and messages match the examples of the document', () => {
      for (const each of answered) expectShown(editions[0], each);
    });

    test('the document says how each assumption is set', () => {
      const { 'x-assumptions': assumptions } = editions[0];
      const settings = Object.entries<Any>(assumptions).flatMap(([id, { setting }]) =>
        setting === undefined ? [] : [[id, setting]],
      );
      expect(Object.fromEntries(settings)).toEqual(decisions);
      for (const [id, row] of Object.entries(ASSUMPTIONS))
        expect(assumptions[id]).toMatchObject(row);
    });
  },
);

const declaredIn = ({ paths }: Any) =>
  operations.flatMap(({ operationId, path, method }) =>
    Object.keys(paths[documentPath(path)][method].responses).map((status) => ({
      operationId,
      status: Number(status),
    })),
  );

const examplesOf = (document: Any, operationId: string, status: number): Any[] => {
  const { example, examples } = responseOf(document, operationId, status).content[
    'application/json'
  ];
  return examples ? Object.values<Any>(examples).map(({ value }) => value) : [example];
};

/** Compares message and code of a success, the code of an invalid request, and other refusals whole. */
function expectShown(document: Any, { operationId, refused, answer }: Answered): void {
  const { body, status } = answer;
  const shown = examplesOf(document, operationId, status);
  const { messageKey } = operationOf(operationId).envelope;
  // Under a profile a second verify is no refusal.
  if (!refused || body.success === true) {
    const { [messageKey]: message, response_code } = shown.find(({ success }) => success);
    expect(body[messageKey], operationId).toBe(message);
    expect(body.response_code, operationId).toBe(response_code);
  } else if (refused === 'invalid') {
    const codes = shown.map(({ response_code }) => response_code);
    expect(codes, `${operationId} ${refused}`).toContain(body.response_code);
  } else expect(shown, `${operationId} ${refused}`).toContainEqual(body);
}
