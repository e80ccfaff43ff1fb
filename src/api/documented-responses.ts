import { type RouteConfig, z } from '@hono/zod-openapi';
import type { Settings } from '../world/settings.ts';
import { failuresUnder } from './failures.ts';
import type { Operation } from './operation.ts';
import { HEADERS } from './responses.ts';

type Responses = RouteConfig['responses'];

/** What an operation of a sandbox with these settings answers, as a document describes it. */
export function responsesUnder(settings: Settings, operation: Operation): Responses {
  const { operationId, envelope } = operation;
  const schema = operation
    .successUnder(settings)
    .meta({ description: `A success of \`${operationId}\`.` });
  const success = {
    description: `${settings.messages.success[operationId] ?? envelope.message}.`,
    headers: HEADERS,
    content: { 'application/json': { schema } },
  };
  const { 200: refused, ...others } = failuresUnder(settings, operation);
  if (!refused) return { 200: success, ...others };
  return { 200: eitherResponse(success, refused, settings), ...others };
}

interface Success {
  readonly description: string;
  readonly content: { readonly 'application/json': { readonly schema: z.ZodObject } };
}
type Refused = ReturnType<typeof failuresUnder>[number];

/** A profile may have HTTP carry a refusal as a success: then the body alone tells them apart. */
function eitherResponse(
  success: Success,
  { description, headers, content }: Refused,
  { errorEnvelope }: Settings,
) {
  const { schema, examples } = content['application/json'];
  const refused =
    errorEnvelope === 'laravel' ? '`success` is false or absent' : '`success` is false';
  return {
    description: `${success.description} Where ${refused}: ${description}`,
    headers,
    content: {
      'application/json': {
        schema: z
          .union([success.content['application/json'].schema, schema])
          .meta({ description: '`success` tells which of the two it is.' }),
        examples,
      },
    },
  };
}
