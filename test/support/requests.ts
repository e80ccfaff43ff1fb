import type { ProductFamily } from '../../src/products/family.ts';
import { families } from '../../src/products/index.ts';
import { anyFamilies } from '../../src/products/world.ts';
import { TOKEN_MINUTES } from '../../src/world/limits.ts';
import { type Caller, operationOf } from './client.ts';

/*
 * The requests of tests: the documented example of each operation, so that a new operation or family needs nothing
 * here.
 */

export type FamilyKey = (typeof families)[number]['key'];

export const familyKeys: readonly FamilyKey[] = families.map(({ key }) => key);

/** The operation that completes a purchase, by family. */
function verifyIn({ key, operations }: ProductFamily): string {
  const verify = operations.find(({ role }) => role === 'verify');
  if (verify) return verify.operationId;
  throw new Error(`The family ${key} has no verify: no operation of this role`);
}

const byFamily = (operationIdOf: (family: ProductFamily) => string) =>
  Object.fromEntries(anyFamilies.map((family) => [family.key, operationIdOf(family)])) as Readonly<
    Record<FamilyKey, string>
  >;

/** The time after which a token has expired, as a duration. */
export const UNTIL_EXPIRED = `PT${TOKEN_MINUTES}M`;

export const initiateOf = byFamily(({ initiateOperation }) => initiateOperation);
export const verifyOf = byFamily(verifyIn);

type Input = Readonly<Record<string, unknown>>;

/** The documented example input of an operation, with changes. Empty for lists. */
export function exampleOf(operationId: string, changes: Input = {}): Input {
  const { body, params } = operationOf(operationId).request;
  const shown = body
    ? body.content['application/json'].example
    : Object.fromEntries(
        Object.entries(params?.shape ?? {}).map(([name, field]) => [
          name,
          field.meta()?.examples?.[0],
        ]),
      );
  if (typeof shown === 'object') return { ...shown, ...changes };
  throw new Error(`${operationId} shows no example: give the fields of its request one`);
}

/** The documented example purchase, with changes. */
export const purchaseOf = (family: FamilyKey, changes: Input = {}): Input =>
  exampleOf(initiateOf[family], changes);

/** The fields that the published motor sample has and its table lacks, with values as customers have them. */
export const MOTOR_SAMPLE = {
  address: '14 Allen Avenue, Ikeja, Lagos',
  relationship: 'self',
  variant_type: 'LE',
  amount_insured: 5_000_000,
  identity: 'national identity card',
  nok_surname: 'Ade',
  nok_othernames: 'Bola',
  nok_relationship: 'sister',
  nok_gender: 'female',
  nok_phone_no: '08059876543',
  nok_email_address: 'bola@example.com',
  id_url: 'https://files.example.com/id.png',
  id_number: '12345678901',
  id_type: 'nin',
};
export type MotorSampleField = keyof typeof MOTOR_SAMPLE;

/** Initiates a purchase and returns its token. */
export async function initiate(
  client: Caller,
  family: FamilyKey,
  changes: Input = {},
): Promise<string> {
  const { data } = await accepted(client, initiateOf[family], purchaseOf(family, changes));
  return data.token;
}

/** Buys a policy and returns the data of verify. */
export async function buy(client: Caller, family: FamilyKey, changes: Input = {}) {
  const token = await initiate(client, family, changes);
  return (await accepted(client, verifyOf[family], { token })).data;
}

async function accepted(client: Caller, operationId: string, input: Input) {
  const { status, text, body } = await client.call(operationId, input);
  if (status === 200) return body;
  throw new Error(`${operationId} answers ${status}: ${text} to ${JSON.stringify(input)}`);
}

/**
 * An input that an operation accepts: its documented example. First initiates or buys what it refers to.
 */
export async function acceptedInput(client: Caller, operationId: string): Promise<Input> {
  const field = namedField(operationId);
  if (field === undefined) return exampleOf(operationId);
  const family = familyOf(operationId);
  if (field === 'token') return exampleOf(operationId, { token: await initiate(client, family) });
  const policy = await buy(client, family);
  const number = policy[policyField(policy, `What ${verifyOf[family]} answers`)];
  return exampleOf(operationId, { [field]: number });
}

/** The field with which an operation refers to existing data: `token`, or a policy number. */
export function namedField(operationId: string): string | undefined {
  const { errors } = operationOf(operationId);
  if (errors.includes('token_unknown')) return 'token';
  if (!errors.includes('policy_unknown')) return undefined;
  return policyField(exampleOf(operationId), `The example of ${operationId}`);
}

/** The field of a value that contains a policy number. `what` describes the value in errors. */
export function policyField(value: Input, what: string): string {
  const field = Object.keys(value).find((key) => /^policy_?n(o|umber)$/i.test(key));
  if (field !== undefined) return field;
  throw new Error(`${what} has no field policy_no or policy_number`);
}

/** The family of an operation. */
export function familyOf(operationId: string): FamilyKey {
  const family = anyFamilies.find(({ operations }) =>
    operations.some((operation) => operation.operationId === operationId),
  );
  return family?.key as FamilyKey;
}

/** The files of an operation, for failures that name the one to change. */
export function filesOf(operationId: string) {
  const family = familyOf(operationId).replaceAll('_', '-');
  const folder = `src/products/${family}`;
  return {
    requests: `${folder}/requests.ts`,
    routes: `${folder}/routes.ts`,
  };
}
