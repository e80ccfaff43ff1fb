/* What the document shows: one purchase, from its initiation to its policy. */

export const EXAMPLE_TOKEN = 'CMP169848000048213075';
export const EXAMPLE_POLICY_NUMBER = 'INS4017395826114';

const file = (name: string) => `https://files.example.com/motor/${name}.png`;

export const EXAMPLE_IMAGES = {
  speedometer_img: file('speedometer'),
  engine_img: file('engine'),
  interior_img: file('interior'),
  front_view_img: file('front'),
  rear_view_img: file('rear'),
  left_side_view_img: file('left'),
  right_side_view_img: file('right'),
  vehicle_license_img: file('license'),
  proof_of_ownership_img: file('ownership'),
};

const EXAMPLE_CONTACT = {
  contact_person_name: 'Bola Ade',
  contact_person_address: '14 Allen Avenue, Ikeja, Lagos',
  contact_person_phone_no: '08059876543',
};

export const EXAMPLE_REQUEST = {
  first_name: 'Ada',
  last_name: 'Obi',
  phone_number: '08031234567',
  email: 'ada@example.com',
  gender: 'female',
  product_id: '4',
  ...EXAMPLE_IMAGES,
  frequency_type: 'yearly',
  sum_insured: 5_000_000,
  insurance_cover: 'bronze',
  tracker_value: 60_000,
  diagnostic_cost: 15_000,
  duration: 1,
  vehicle_type: 'saloon',
  start_date: '2026-02-01',
  registration_no: 'KJA-482GR',
  vehicle_make: 'Toyota',
  vehicle_model: 'Corolla',
  year_make: '2015',
  vehicle_color: 'silver',
  engine_no: '2ZR4831907',
  chasis_no: '2T1BURHE5FC301482',
  ...EXAMPLE_CONTACT,
  inspection_date: '2026-01-30',
};

const {
  sum_insured: vehicle_value,
  frequency_type,
  insurance_cover,
  duration,
  vehicle_type,
  start_date,
  registration_no,
  vehicle_make,
  vehicle_model,
  year_make,
  vehicle_color,
  chasis_no,
  engine_no,
  inspection_date,
} = EXAMPLE_REQUEST;

const HEAD = { slug: `comprehensive-motor-${EXAMPLE_POLICY_NUMBER.toLowerCase()}`, product_id: 4 };

const COVER = {
  frequency_type,
  vehicle_value,
  insurance_cover,
  duration,
  vehicle_type,
  start_date,
  end_date: '2027-02-01',
};

const VEHICLE = {
  registration_no,
  vehicle_make,
  vehicle_model,
  year_make,
  vehicle_color,
  chasis_no,
  engine_no,
  ...EXAMPLE_IMAGES,
  policy_number: EXAMPLE_POLICY_NUMBER,
  ...EXAMPLE_CONTACT,
  inspection_date,
};

export const EXAMPLE_POLICY = { ...HEAD, merchant_user_id: 1, ...COVER, ...VEHICLE };

export const EXAMPLE_VERIFIED_POLICY = {
  ...HEAD,
  merchant_id: 1,
  ...COVER,
  start_date: `${COVER.start_date}T00:00:00.000000Z`,
  end_date: `${COVER.end_date}T00:00:00.000000Z`,
  ...VEHICLE,
  id: 6,
  user_id: 206,
  status: true,
  created_at: '2026-01-31T10:00:00.000000Z',
  updated_at: '2026-01-31T10:00:00.000000Z',
};

export const EXAMPLE_LISTED_POLICY = {
  slug: HEAD.slug,
  frequency_type,
  duration,
  vehicle_type,
  start_date,
  end_date: COVER.end_date,
  vehicle_value,
  insurance_cover,
  status: 'activated',
  policy_number: EXAMPLE_POLICY_NUMBER,
};
