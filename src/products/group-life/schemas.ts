import * as z from 'zod/mini';
import { component, describe, type Infer } from '../../core/schema.ts';
import { pageOf } from '../../http/pagination.ts';
import { id, timestamp } from '../../http/record-fields.ts';
import { productFields } from '../product.ts';
import { purchaseToken } from '../purchase-token.ts';
import { personFields, recordedFields, subscriberFields } from '../subscriber.ts';
import {
  EXAMPLE_LISTED_USER,
  EXAMPLE_MEMBER,
  EXAMPLE_PRODUCT,
  EXAMPLE_TOKEN,
  EXAMPLE_USER,
  examplePolicy,
} from './examples.ts';

export const PurchaseToken = purchaseToken('GroupLifePurchaseToken', EXAMPLE_TOKEN);

const nullableText = () => z.nullable(z.string());

export const GroupLifeProduct = component(
  'GroupLifeProduct',
  () => z.strictObject({ ...productFields(), service_id: id(), product_class_id: id() }),
  { description: 'A product as group life answers it, with its service and class.' },
);
export type GroupLifeProduct = Infer<typeof GroupLifeProduct>;

/** The purchaser of a policy as a World keeps it and details answers it. */
export const GroupLifeUser = component(
  'GroupLifeUser',
  () =>
    z.strictObject({
      ...subscriberFields(
        describe(nullableText(), {
          description: 'Null: the number of a group-life policy is its policy_number.',
          'x-assumptions': ['group-life-items'],
        }),
      ),
      principal_policy_no: nullableText(),
      nin_number: nullableText(),
      id_url: nullableText(),
      profile_url: nullableText(),
      company_id: z.nullable(z.int()),
      verify_phone: describe(z.nullable(z.int()), { description: '1 once verified.' }),
      verify_email: describe(z.nullable(z.int()), { description: '1 once verified.' }),
      town: nullableText(),
      state_of_residence: nullableText(),
      transaction_pin: nullableText(),
      occupation: nullableText(),
    }),
  { description: 'The purchaser of a group-life policy.', examples: [EXAMPLE_USER] },
);
export type GroupLifeUser = Infer<typeof GroupLifeUser>;

export const GroupLifeListedUser = component(
  'GroupLifeListedUser',
  () => z.strictObject({ ...personFields(), ...recordedFields() }),
  {
    description: 'The purchaser of a policy of the list: fewer fields than details answers.',
    examples: [EXAMPLE_LISTED_USER],
  },
);
export type GroupLifeListedUser = Infer<typeof GroupLifeListedUser>;

export const GroupLifeMember = component(
  'GroupLifeMember',
  () =>
    z.strictObject({
      id: id(),
      policy_id: id({ description: 'The policy.' }),
      full_name: z.string(),
      gender: z.string(),
      occupation: z.string(),
      date_of_birth: timestamp({ description: 'Midnight UTC of the day of birth.' }),
      // The wire's spelling of next of kin.
      next_of_kiln: describe(z.string(), { description: 'The next of kin; spelt so.' }),
      phone_number: z.string(),
      policy_type: describe(z.string(), {
        description: 'group-life for every member.',
        examples: ['group-life'],
      }),
      deleted_at: z.nullable(timestamp()),
      created_at: timestamp(),
      updated_at: timestamp(),
    }),
  { description: 'A person whose life a policy insures.', examples: [EXAMPLE_MEMBER] },
);
export type GroupLifeMember = Infer<typeof GroupLifeMember>;

const policyFields = () => ({
  id: id(),
  user_id: id({ description: 'The purchaser.' }),
  product_id: id(),
  merchant_id: id({ description: 'The merchant.' }),
  policy_number: describe(z.string(), {
    description: 'IN and 8 digits.',
    examples: ['IN40173958'],
    'x-assumptions': ['group-life-policy-number'],
  }),
  group_name: z.string(),
  group_type: z.string(),
  group_contact_address: z.string(),
  first_person_name: z.string(),
  first_person_phone: z.string(),
  second_person_name: z.string(),
  second_person_phone: nullableText(),
  start_date: timestamp({
    description: 'Midnight UTC of the first day of cover.',
    'x-assumptions': ['group-life-dates'],
  }),
  end_date: describe(z.nullable(timestamp()), {
    description: 'One year after start_date.',
    'x-assumptions': ['group-life-dates'],
  }),
  status: describe(z.boolean(), { description: 'True for every policy bought.' }),
  deleted_at: z.nullable(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
});

const members = () => describe(z.array(GroupLifeMember()), { description: 'The insured members.' });

/** A policy as a World keeps it: its product is the catalogue's. */
export const GroupLifePolicyRecord = component(
  'GroupLifePolicyRecord',
  () => z.strictObject({ ...policyFields(), user: GroupLifeUser(), group_life_members: members() }),
  { description: 'A stored group-life policy.' },
);
export type GroupLifePolicyRecord = Infer<typeof GroupLifePolicyRecord>;

export const GroupLifePolicy = component(
  'GroupLifePolicy',
  () =>
    z.strictObject({
      ...policyFields(),
      user: GroupLifeUser(),
      product: GroupLifeProduct(),
      group_life_members: members(),
    }),
  {
    description: 'A group-life policy with its purchaser, its product and its members.',
    examples: [examplePolicy(EXAMPLE_USER, EXAMPLE_PRODUCT, [EXAMPLE_MEMBER])],
  },
);
export type GroupLifePolicy = Infer<typeof GroupLifePolicy>;

export const GroupLifeListedPolicy = component(
  'GroupLifeListedPolicy',
  () =>
    z.strictObject({
      ...policyFields(),
      user: GroupLifeListedUser(),
      product: GroupLifeProduct(),
      group_life_members: members(),
    }),
  {
    description: 'A group-life policy of the list: its purchaser has fewer fields than in details.',
    examples: [examplePolicy(EXAMPLE_LISTED_USER, EXAMPLE_PRODUCT, [EXAMPLE_MEMBER])],
    'x-assumptions': ['group-life-items'],
  },
);
export type GroupLifeListedPolicy = Infer<typeof GroupLifeListedPolicy>;

export const PolicyPage = component('GroupLifePolicyPage', () => pageOf(GroupLifeListedPolicy()), {
  description: 'One page of group-life policies.',
});
