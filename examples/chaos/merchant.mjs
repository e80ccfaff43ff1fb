/*
 * What the merchants share: the calls of three purchases, one of each product family. The sandbox is at SANDBOX_URL, and
 * the key is in SANDBOX_KEY.
 */
const { SANDBOX_URL = 'http://127.0.0.1:4015', SANDBOX_KEY = 'sk_sandbox_demo' } = process.env;

/** The service answered no. */
export class Refused extends Error {}

/** Sends a request and returns its `data`. Throws `Refused`, or another error if there is no response to read. */
async function call(method, path, body) {
  const response = await fetch(`${SANDBOX_URL}/api/merchant/${path}`, {
    method,
    headers: { Authorization: `Bearer ${SANDBOX_KEY}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { success, data } = await response.json();
  if (response.status >= 500) throw new Error(`${path} returned ${response.status}.`);
  if (!success) throw new Refused(data.error.join(' '));
  return data;
}

/** The items of a list that has pages. */
async function* pages(path) {
  for (let page = 1, last = 1; page <= last; page++) {
    const list = await again(() =>
      call('GET', `${path}${path.includes('?') ? '&' : '?'}page=${page}`),
    );
    yield* list.data;
    last = list.last_page;
  }
}

/** Tries three times, unless the service answers no. */
export async function again(work) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 3 || error instanceof Refused) throw error;
    }
  }
}

const image = 'https://files.example.com/image.png';
const ada = { first_name: 'Ada', email: 'ada@example.com' };
const female = { gender: 'female' };

export const microHealth = {
  quote: () =>
    call('POST', 'micro_health/get_quote', {
      no_of_users: 1,
      subscription_type: 'monthly',
      product_id: 1,
    }),
  initiate: () =>
    call('POST', 'micro_health/initiate', {
      ...ada,
      surname: 'Obi',
      phone_no: '08031234567',
      date_of_birth: '1990-04-12',
      nin_number: '12345678901',
      id_url: image,
      product_id: 1,
      subscription_type: 'monthly',
      amount: 400,
    }),
  verify: async (token) => (await call('POST', 'micro_health/verify', { token })).policy_no,
  /** The numbers of policies that are what this purchase is, and not older. */
  async *find({ since }) {
    // From the day before, because the service may count days in another time zone.
    const day = new Date(since - 86_400_000).toISOString().slice(0, 10);
    for await (const sold of pages(`micro_health/all_subscriptions?start_date=${day}`)) {
      const { subscriptions, beneficiary, transactions } = sold;
      const isSame =
        sold.email === ada.email &&
        sold.first_name === ada.first_name &&
        beneficiary.length === 0 &&
        subscriptions.product_id === 1 &&
        subscriptions.subscriptions_type === 'monthly' &&
        Number(transactions[0].amount) === 400;
      if (isSame && Date.parse(subscriptions.created_at) >= since) yield sold.policy_no;
    }
  },
  show: (number) => call('GET', `micro_health/validate_policy/${number}`),
  renew: (number) =>
    call('POST', 'micro_health/top_up', {
      policy_no: number,
      subscription_type: 'monthly',
      amount: 400,
    }),
};

export const motor = {
  quote: () =>
    call('POST', 'get_comprehensive_motor_policy_quote', {
      product_id: 4,
      vehicle_value: 5_000_000,
    }),
  initiate: () =>
    call('POST', 'comprehensive_motor_initiate_policy', {
      ...ada,
      ...female,
      last_name: 'Obi',
      phone_number: '08031234567',
      product_id: '4',
      speedometer_img: image,
      engine_img: image,
      interior_img: image,
      front_view_img: image,
      rear_view_img: image,
      left_side_view_img: image,
      right_side_view_img: image,
      vehicle_license_img: image,
      proof_of_ownership_img: image,
      frequency_type: 'yearly',
      sum_insured: 5_000_000,
      insurance_cover: 'bronze',
      tracker_value: 60_000,
      diagnostic_cost: 15_000,
      duration: 1,
      vehicle_type: 'saloon',
      start_date: new Date().toISOString().slice(0, 10),
      registration_no: 'LAG-123AB',
      vehicle_make: 'Toyota',
      vehicle_model: 'Corolla',
      year_make: '2015',
      vehicle_color: 'silver',
      engine_no: 'ENGINE1',
      chasis_no: 'CHASSIS1',
      contact_person_name: 'Ada Obi',
      contact_person_address: '12 Ogui Road, Enugu',
      contact_person_phone_no: '08031234567',
      inspection_date: new Date().toISOString().slice(0, 10),
    }),
  verify: async (token) =>
    (await call('POST', 'comprehensive_motor_verify_policy', { token })).policy_number,
  /** Initiate says which number the policy will have. */
  async *find({ policy_number: number }) {
    yield number;
  },
  show: (number) =>
    call('POST', 'get_comprehensive_motor_policy_details', { Policy_number: number }),
};

export const groupLife = {
  initiate: () =>
    call('POST', 'group-life/policy/initiate-group-life-policy', {
      ...ada,
      ...female,
      surname: 'Obi',
      phone_no: '08031234567',
      dob: '1990-04-12',
      product_id: 2,
      group_name: 'Tailors of Enugu',
      group_type: 'Trade association',
      group_contact_address: '12 Ogui Road, Enugu',
      first_person_name: 'Ada Obi',
      first_person_phone: '08031234567',
      second_person_name: 'Bola Ade',
      members: [
        {
          full_name: 'Bola Ade',
          gender: 'female',
          occupation: 'Tailor',
          date_of_birth: '1992-08-03',
          next_of_kiln: 'Ada Obi',
          phone_number: '08037654321',
        },
      ],
    }),
  verify: async (token) =>
    (await call('POST', 'group-life/policy/verify-group-life-policy', { token })).policy_number,
  async *find({ since }) {
    for await (const sold of pages('group-life/policy/merchant-group-life-policies')) {
      const [member, ...others] = sold.group_life_members;
      const isSame =
        sold.user.email === ada.email &&
        sold.group_name === 'Tailors of Enugu' &&
        member.full_name === 'Bola Ade' &&
        others.length === 0;
      if (isSame && Date.parse(sold.created_at) >= since) yield sold.policy_number;
    }
  },
  show: (number) =>
    call('POST', 'group-life/policy/group-life-policy-details', { policy_number: number }),
};
