import * as z from 'zod/mini';
import { type Component, component, describe } from '../core/schema.ts';
import { codedEnvelope, type Envelope, messageEnvelope, statusEnvelope } from './envelope.ts';
import type { Operation } from './operation.ts';

/*
 * The whole body of every answer. The document publishes these, and tests and `check` hold answers
 * against them: fixed values are checks, not literals, because a client generated from a literal
 * breaks on a service that answers another code, and some do not even compile.
 */

const fixed = <S extends z.ZodMiniType>(schema: S, value: z.output<S>, description: string) =>
  describe(schema.check(z.refine((answered: unknown) => answered === value)), {
    description,
    examples: [value],
  });

const successes = new WeakMap<Operation, Component<z.ZodMiniObject>>();

/** The body of a call's success, as a named schema. */
export function successComponent(operation: Operation): Component<z.ZodMiniObject> {
  let found = successes.get(operation);
  if (!found) {
    const { operationId, envelope, data } = operation;
    const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Response`;
    found = component(name, () => z.strictObject(successFields(envelope, data())), {
      description: `A success of \`${operationId}\`.`,
    });
    successes.set(operation, found);
  }
  return found;
}

function successFields({ order, code }: Envelope, data: z.core.$ZodType) {
  const message = () => describe(z.string(), { description: 'What was done.' });
  const fields = {
    success: () => fixed(z.boolean(), true, 'Always true.'),
    data: () => data,
    message,
    response_message: message,
    response_code: () =>
      typeof code === 'number'
        ? fixed(z.int(), code, 'The HTTP status.')
        : fixed(z.string(), code ?? '', code === '' ? 'Always empty.' : `Always \`${code}\`.`),
  };
  return Object.fromEntries(order.map((key) => [key, fields[key]()]));
}

/** The body of a call's success. */
export const successSchema = (operation: Operation): z.ZodMiniObject =>
  successComponent(operation)();

const FailureData = component(
  'FailureData',
  () =>
    z.strictObject({
      error: describe(z.array(z.string()).check(z.minLength(1)), {
        description: 'One sentence per problem.',
        examples: [['Token has expired']],
      }),
    }),
  { description: 'What was wrong.' },
);

const failureComponent = (
  name: string,
  { messageKey, integerCode }: Envelope,
  description: string,
) =>
  component(
    name,
    () =>
      z.strictObject({
        success: fixed(z.boolean(), false, 'Always false.'),
        [messageKey]: describe(z.string(), { description: 'The first problem.' }),
        response_code: describe(
          integerCode
            ? z.int().check(z.gte(400), z.lte(599))
            : z.string().check(z.regex(/^[45]\d\d$/)),
          {
            description: `The HTTP status, as ${integerCode ? 'an integer' : 'a text'}.`,
            examples: [integerCode ? 400 : '400'],
            'x-assumptions': ['error-code-type'],
          },
        ),
        data: FailureData(),
      }),
    { description, 'x-assumptions': ['error-envelope'] },
  );

const messageFailure = failureComponent(
  'MessageFailure',
  messageEnvelope,
  'A refusal by a call whose success says `message`.',
);
const codedFailure = failureComponent(
  'CodedFailure',
  codedEnvelope(''),
  'A refusal by a call whose codes are texts.',
);
const statusFailure = failureComponent(
  'StatusFailure',
  statusEnvelope,
  'A refusal by a call whose codes are integers.',
);

/** The body of every failure in an envelope, as a named schema. */
export function failureComponentOf(envelope: Envelope): Component<z.ZodMiniObject> {
  if (envelope.messageKey === 'message') return messageFailure;
  return envelope.integerCode ? statusFailure : codedFailure;
}

/** The body of every failure in an envelope. */
export const failureSchema = (envelope: Envelope): z.ZodMiniObject =>
  failureComponentOf(envelope)();
