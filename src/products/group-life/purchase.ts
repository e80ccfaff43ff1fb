/* The rules of group life: check, initiate and verify. */

import {
  type FieldError,
  fieldError,
  type Malformed,
  NOTHING_MALFORMED,
  throwIfInvalid,
} from '../../world/errors.ts';
import { nextId } from '../../world/tables.ts';
import { type Instant, midnight, timestamp } from '../../world/time.ts';
import { localDay } from '../../world/time-zone.ts';
import { completePurchase, savePurchase } from '../../world/tokens.ts';
import { type Catalogue, checkProduct } from '../catalogue.ts';
import { nextNumber } from '../policy.ts';
import { checkBirthDate, createSubscriber } from '../subscriber.ts';
import { birthsAmong } from './members.ts';
import {
  coverEnd,
  type GroupLifePurchaseDetails,
  type GroupLifeWorld,
  LAST_START,
} from './records.ts';
import { type GroupLifeInitiateRequest, POLICY_NUMBERS } from './requests.ts';
import {
  type GroupLifeMember,
  type GroupLifePolicyRecord,
  type GroupLifeUser,
  USER_NUMBERS,
} from './schemas.ts';

/** The problems of a purchase, as far as its fields are known. */
export function checkPurchase(
  world: Catalogue & Pick<GroupLifeWorld, 'settings'>,
  input: Partial<GroupLifeInitiateRequest>,
  now: Instant,
  malformed: Malformed = NOTHING_MALFORMED,
): FieldError[] {
  const today = localDay(world.settings, now);
  const errors = [
    ...checkBirthDate('dob', input.dob, today),
    ...checkProduct(world, 'group_life', input.product_id),
  ];
  const births = input.members?.map((member) => member.date_of_birth);
  for (const [place, born] of (births ?? birthsAmong(malformed.members)).entries()) {
    errors.push(...checkBirthDate(`members.${place}.date_of_birth`, born, today));
  }
  if (input.start_date !== undefined && input.start_date > LAST_START) {
    const demand = `must be ${LAST_START} or earlier.`;
    errors.push(fieldError('start_date', 'range', demand, 'date-limits', 'group-life-dates'));
  }
  return errors;
}

/** Saves a purchase until its token expires, and returns the token. */
export function initiatePurchase(
  world: GroupLifeWorld,
  input: GroupLifeInitiateRequest,
  now: Instant,
): string {
  throwIfInvalid(checkPurchase(world, input, now));
  return savePurchase(world, world.group_life.tokens, createDetails(input), now);
}

/** The parts of a request that a pending purchase stores, in the order of its schema. */
const createDetails = ({
  status: _ignored,
  second_person_phone: secondPhone,
  start_date: startDate,
  ...required
}: GroupLifeInitiateRequest): GroupLifePurchaseDetails => ({
  ...required,
  second_person_phone: secondPhone ?? null,
  start_date: startDate ?? null,
});

/**
 * Turns a pending purchase into a policy. Throws `token_unknown`, `token_used` or `token_expired`.
 */
export function verifyPurchase(
  world: GroupLifeWorld,
  token: string,
  now: Instant,
): GroupLifePolicyRecord {
  const { tokens, policies } = world.group_life;
  return completePurchase(world, tokens, token, policies, (details) =>
    createPolicy(world, details, now),
  );
}

function createPolicy(
  world: GroupLifeWorld,
  details: GroupLifePurchaseDetails,
  now: Instant,
): GroupLifePolicyRecord {
  const written = timestamp(now);
  const policyNumber = nextPolicyNumber(world);
  const user = createUser(world, details, written);
  const id = nextId(world, 'group_life_policy');
  const startDate = details.start_date ?? localDay(world.settings, now);
  return {
    id,
    user_id: user.id,
    product_id: details.product_id,
    merchant_id: world.merchant_id,
    policy_number: policyNumber,
    group_name: details.group_name,
    group_type: details.group_type,
    group_contact_address: details.group_contact_address,
    first_person_name: details.first_person_name,
    first_person_phone: details.first_person_phone,
    second_person_name: details.second_person_name,
    second_person_phone: details.second_person_phone,
    start_date: midnight(startDate),
    end_date: timestamp(coverEnd(world.settings, startDate)),
    status: true,
    deleted_at: null,
    created_at: written,
    updated_at: written,
    user,
    group_life_members: details.members.map(
      (member): GroupLifeMember => ({
        id: nextId(world, 'group_life_member'),
        policy_id: id,
        full_name: member.full_name,
        gender: member.gender,
        occupation: member.occupation,
        date_of_birth: midnight(member.date_of_birth),
        next_of_kiln: member.next_of_kiln,
        phone_number: member.phone_number,
        policy_type: 'group-life',
        deleted_at: null,
        created_at: written,
        updated_at: written,
      }),
    ),
  };
}

function createUser(
  world: GroupLifeWorld,
  details: GroupLifePurchaseDetails,
  written: string,
): GroupLifeUser {
  return {
    ...createSubscriber(
      { ...details, date_of_birth: details.dob },
      {
        id: nextId(world, 'user'),
        policyNo: nextUserNumber(world),
        merchantId: world.merchant_id,
        haveBeneficiaries: false,
        written,
      },
    ),
    principal_policy_no: null,
    nin_number: null,
    id_url: null,
    profile_url: null,
    company_id: null,
    verify_phone: 0,
    verify_email: 0,
    town: null,
    state_of_residence: null,
    transaction_pin: null,
    occupation: null,
  };
}

const nextPolicyNumber = ({ random, group_life }: GroupLifeWorld): string =>
  nextNumber(random, POLICY_NUMBERS, (drawn) => group_life.policies.has(drawn));

const nextUserNumber = ({ random, group_life }: GroupLifeWorld): string =>
  nextNumber(random, USER_NUMBERS, (drawn) => group_life.policies.hasOther(drawn));
