import type { Operation, RuleScope } from '../../src/api/operation.ts';
import { stripEmpty } from '../../src/api/request.ts';
import { throwInvalidRequest } from '../../src/api/validation.ts';

/** What an operation makes of what was sent, without HTTP: its input, or its refusal. */
export function parseRequest(operation: Operation, scope: RuleScope, sent: unknown): unknown {
  const stripped = stripEmpty(sent);
  const parsed = operation.input?.safeParse(stripped);
  return parsed?.success ? parsed.data : throwInvalidRequest(operation, scope, stripped);
}
