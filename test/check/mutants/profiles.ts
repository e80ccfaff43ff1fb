import { createSandbox } from '../../../src/index.ts';
import { type Mutant, OPTIONS } from './mutant.ts';

/** Sandboxes that take a decision otherwise. */
export function ofProfiles(): Mutant[] {
  const profiled = (
    family: string,
    operation: string,
    paths: string[],
    decisions: Record<string, unknown>,
  ): Mutant => ({
    name: `${operation}: ${JSON.stringify(decisions)}`,
    family,
    operation,
    paths,
    serve: (changed) => {
      changed();
      const sandbox = createSandbox({ ...OPTIONS, profile: { version: 1, decisions } });
      return (request) => sandbox.fetch(request);
    },
  });
  const [health, motor, group] = ['micro_health', 'motor', 'group_life'] as const;
  const list = 'listMicroHealthSubscriptions';
  const lists = [
    [health, list, '$.data.data'],
    [motor, 'listMotorPolicies', '$.data'],
    [group, 'listGroupLifePolicies', '$.data.data'],
  ] as const;
  const verifies = [
    [health, 'verifyMicroHealthSubscription', '$.message'],
    [motor, 'verifyMotorPolicy', '$.response_message'],
    [group, 'verifyGroupLifePolicy', '$.response_message'],
  ] as const;
  return [
    ...[10, 14, 16, 20].map((per_page) =>
      profiled(health, list, ['$.data.per_page'], { 'list-selection': { per_page } }),
    ),
    profiled(group, 'listGroupLifePolicies', ['$.data.per_page'], {
      'list-selection': { per_page: 5 },
    }),
    ...lists.map(([family, operation, path]) =>
      profiled(family, operation, [path], { 'list-order': 'newest-first' }),
    ),
    profiled(health, list, ['$.data.data[].subscriptions'], { 'subscriptions-key': 'array' }),
    profiled(health, 'initiateMicroHealthSubscription', ['$.success'], {
      'amount-check': 'ignore',
    }),
    profiled(health, 'topUpMicroHealthSubscription', ['$.success'], { 'amount-check': 'ignore' }),
    ...verifies.flatMap(([family, operation, path]) => [
      profiled(family, operation, ['$.success'], { 'token-boundary': 'inclusive' }),
      ...['token-expired', 'token-unknown', 'token-used', 'auth-failure'].map((decision) =>
        profiled(family, operation, [path], { [decision]: { message: 'No.' } }),
      ),
      ...['token_expired', 'token_unknown', 'token_used'].map((code) =>
        profiled(family, operation, ['status'], { 'http-status': { [code]: 404 } }),
      ),
      ...['string', 'integer']
        .map((type) =>
          profiled(family, operation, ['$.response_code'], { 'error-code-type': type }),
        )
        .filter(({ name }) => name.includes(family === group ? 'string' : 'integer')),
    ]),
    profiled(health, 'unknownRoute', ['status'], { 'http-status': { route_unknown: 400 } }),
    profiled(health, 'getMicroHealthQuote', ['status'], { 'http-status': { too_large: 400 } }),
  ];
}
