import type { Client } from './client.ts';

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

export const initiateOf: Readonly<Record<FamilyKey, string>> = {
  micro_health: 'initiateMicroHealthSubscription',
  motor: 'initiateMotorPolicy',
  group_life: 'initiateGroupLifePolicy',
};

export const verifyOf: Readonly<Record<FamilyKey, string>> = {
  micro_health: 'verifyMicroHealthSubscription',
  motor: 'verifyMotorPolicy',
  group_life: 'verifyGroupLifePolicy',
};

export const familyKeys = Object.keys(purchaseOf) as FamilyKey[];

/** Initiates a purchase and answers its token. */
export async function initiate(client: Client, family: FamilyKey, changes = {}): Promise<string> {
  const answer = await client.call(initiateOf[family], { ...purchaseOf[family](), ...changes });
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

/** An input that every operation accepts, buying first what has to be there. */
export async function acceptedInput(client: Client, operationId: string): Promise<unknown> {
  switch (operationId) {
    case 'getMicroHealthQuote':
      return { no_of_users: 2, subscription_type: 'monthly', product_id: '1' };
    case 'getMotorQuote':
      return { product_id: 4, vehicle_value: 3_500_000 };
    case 'initiateMicroHealthSubscription':
      return purchaseOf.micro_health();
    case 'initiateMotorPolicy':
      return purchaseOf.motor();
    case 'initiateGroupLifePolicy':
      return purchaseOf.group_life();
    case 'verifyMicroHealthSubscription':
      return { token: await initiate(client, 'micro_health') };
    case 'verifyMotorPolicy':
      return { token: await initiate(client, 'motor') };
    case 'verifyGroupLifePolicy':
      return { token: await initiate(client, 'group_life') };
    case 'topUpMicroHealthSubscription': {
      const { policy_no } = await buy(client, 'micro_health');
      return { subscription_type: 'monthly', amount: 700, policy_no };
    }
    case 'validateMicroHealthPolicy':
      return { policy_no: (await buy(client, 'micro_health')).policy_no };
    case 'getMotorPolicyDetails':
      return { Policy_number: (await buy(client, 'motor')).policy_number };
    case 'getGroupLifePolicyDetails':
      return { policy_number: (await buy(client, 'group_life')).policy_number };
    default:
      return {};
  }
}
