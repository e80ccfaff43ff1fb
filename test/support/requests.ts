import { contract } from '../../src/core/schema.ts';
import type { ProductFamily } from '../../src/products/family.ts';
import { anyFamilies } from '../../src/products/world.ts';
import { type Client, operationOf } from './client.ts';

/** A member as a group-life purchase names one. */
export const memberRequest = () => ({
  full_name: 'Musa Bello',
  gender: 'male',
  occupation: 'trader',
  date_of_birth: '1979-11-23',
  next_of_kiln: 'Aisha Bello',
  phone_number: '08039876543',
});

/** A whole request of every kind that the sandbox accepts. */
export const purchaseOf = {
  micro_health: () => ({
    first_name: 'Ada',
    surname: 'Obi',
    email: 'ada@example.com',
    phone_no: '08031234567',
    date_of_birth: '1990-04-12',
    product_id: 1,
    subscription_type: 'monthly',
    amount: 700,
    nin_number: 12345678901,
    first_beneficiary_full_name: 'Bola Ade',
    id_url: 'https://files.example.com/id.png',
    profile_url: 'https://files.example.com/me.png',
  }),
  motor: () => ({
    first_name: 'Chidi',
    last_name: 'Eze',
    phone_number: '08031234567',
    email: 'chidi@example.com',
    gender: 'male',
    product_id: '4',
    speedometer_img: 'https://files.example.com/speedometer.png',
    engine_img: 'https://files.example.com/engine.png',
    interior_img: 'https://files.example.com/interior.png',
    front_view_img: 'https://files.example.com/front.png',
    rear_view_img: 'https://files.example.com/rear.png',
    left_side_view_img: 'https://files.example.com/left.png',
    right_side_view_img: 'https://files.example.com/right.png',
    vehicle_license_img: 'https://files.example.com/license.png',
    proof_of_ownership_img: 'https://files.example.com/ownership.png',
    frequency_type: 'yearly',
    sum_insured: 3_500_000,
    insurance_cover: 'bronze',
    tracker_value: 0,
    diagnostic_cost: 15_000,
    duration: 1,
    vehicle_type: 'saloon',
    start_date: '2026-02-01',
    registration_no: 'LND-482-KJ',
    vehicle_make: 'Toyota',
    vehicle_model: 'Corolla',
    year_make: '2018',
    vehicle_color: 'silver',
    engine_no: '2ZR1234567',
    chasis_no: 'JTDBR32E720123456',
    contact_person_name: 'Ngozi Eze',
    contact_person_address: '12 Allen Avenue, Ikeja',
    contact_person_phone_no: '08037654321',
    inspection_date: '2026-02-03',
  }),
  group_life: () => ({
    email: 'hr@example.com',
    first_name: 'Funke',
    surname: 'Balogun',
    phone_no: '08031234567',
    gender: 'female',
    dob: '1985-07-01',
    product_id: 2,
    group_name: 'Balogun Traders Cooperative',
    group_type: 'cooperative',
    group_contact_address: '4 Broad Street, Lagos',
    first_person_name: 'Funke Balogun',
    first_person_phone: '08031234567',
    second_person_name: 'Musa Bello',
    members: [memberRequest()],
  }),
} as const;

export type FamilyKey = keyof typeof purchaseOf;

export const familyKeys = Object.keys(purchaseOf) as FamilyKey[];

/** The operation that completes a purchase, by family. */
const verifyIn = ({ operations }: ProductFamily): string =>
  operations.find(({ refusals }) => refusals.includes('token_unknown'))?.operationId as string;

const byFamily = (operationIdOf: (family: ProductFamily) => string) =>
  Object.fromEntries(anyFamilies.map((family) => [family.key, operationIdOf(family)])) as Readonly<
    Record<FamilyKey, string>
  >;

export const initiateOf = byFamily(({ initiateOperation }) => initiateOperation);
export const verifyOf = byFamily(verifyIn);

/** Initiates a purchase and answers its token. */
export async function initiate(client: Client, family: FamilyKey, changes = {}): Promise<string> {
  const purchase = await acceptedInput(client, initiateOf[family]);
  const answer = await client.call(initiateOf[family], { ...(purchase as object), ...changes });
  if (answer.status !== 200) throw new Error(`initiate was refused: ${answer.text}`);
  return answer.body.data.token;
}

/** Buys a policy and answers the data of verify. */
export async function buy(client: Client, family: FamilyKey, changes = {}) {
  const token = await initiate(client, family, changes);
  const answer = await client.call(verifyOf[family], { token });
  if (answer.status !== 200) throw new Error(`verify was refused: ${answer.text}`);
  return answer.body.data;
}

/** Inputs that operations accept, where neither the contract's example nor nothing at all will do. */
const ACCEPTED: Readonly<Record<string, (client: Client) => unknown>> = {
  getMicroHealthQuote: () => ({ no_of_users: 2, subscription_type: 'monthly', product_id: '1' }),
  getMotorQuote: () => ({ product_id: 4, vehicle_value: 3_500_000 }),
  ...Object.fromEntries(familyKeys.map((family) => [initiateOf[family], purchaseOf[family]])),
  ...Object.fromEntries(
    anyFamilies.map((family) => [
      verifyIn(family),
      async (client: Client) => ({ token: await initiate(client, family.key as FamilyKey) }),
    ]),
  ),
  topUpMicroHealthSubscription: async (client) => {
    const { policy_no } = await buy(client, 'micro_health');
    return { subscription_type: 'monthly', amount: 700, policy_no };
  },
  validateMicroHealthPolicy: async (client) => {
    const { policy_no } = await buy(client, 'micro_health');
    return { policy_no };
  },
  getMotorPolicyDetails: async (client) => {
    const { policy_number } = await buy(client, 'motor');
    return { Policy_number: policy_number };
  },
  getGroupLifePolicyDetails: async (client) => {
    const { policy_number } = await buy(client, 'group_life');
    return { policy_number };
  },
};

/** An input that an operation accepts; what has to be there for it is bought first. */
export async function acceptedInput(client: Client, operationId: string): Promise<unknown> {
  const accepted = ACCEPTED[operationId];
  if (accepted) return accepted(client);
  const { request } = operationOf(operationId);
  return request?.in === 'body' ? contract.get(request.schema())?.examples?.[0] : {};
}
