import { expect, test } from 'vitest';
import published31 from '../../openapi/merchant-api.json' with { type: 'json' };
import published30 from '../../openapi/merchant-api-3.0.json' with { type: 'json' };
import { documentPath } from '../../src/openapi/operation-route.ts';
import { createDemoClient, operations } from '../support/client.ts';
import { answerValidator } from '../support/document-validation.ts';
import { everyAnswer } from '../support/every-answer.ts';

const answered = await everyAnswer(createDemoClient());

test('the demo merchant gets every status that the document declares', () => {
  const paths: Readonly<Record<string, Readonly<Record<string, { responses: object }>>>> =
    published31.paths;
  const declared = operations.flatMap(({ operationId, path, method }) =>
    Object.keys(paths[documentPath(path)]?.[method]?.responses ?? {}).map(
      (status) => `${operationId} ${status}`,
    ),
  );
  const seen = answered.map(({ operationId, answer }) => `${operationId} ${answer.status}`);
  expect([...new Set(seen)].toSorted()).toEqual(declared.toSorted());
});

test.each([
  ['3.1', published31],
  ['3.0', published30],
])('every response matches the published %s edition, without extra fields', (_, document) => {
  const validate = answerValidator(document);
  const wrong = answered.flatMap(({ operationId, answer }) =>
    validate(operationId, answer.status, answer.body),
  );
  expect([...new Set(wrong)]).toEqual([]);
});

test('motor durations are returned both as numbers and as texts', () => {
  const durations = answered
    .filter(({ operationId, refused }) => operationId === 'listMotorPolicies' && !refused)
    .flatMap(({ answer }) => answer.body.data)
    .map(({ duration }: { duration: unknown }) => typeof duration);
  expect(new Set(durations)).toEqual(new Set(['number', 'string']));
});
