/* The responses of group life: what each operation shows of a policy. */

import { z } from '@hono/zod-openapi';
import { pageOf } from '../../api/pagination.ts';
import { phoneMeta } from '../../api/request-forms.ts';
import { boughtProductId, id, timestamp, writtenFields } from '../../api/response-fields.ts';
import { onFirstUse } from '../../world/on-first-use.ts';
import { PUBLISHED, type Settings } from '../../world/settings.ts';
import { classFields, productFields } from '../catalogue.ts';
import { assumed, namedResponse, withExample } from '../named-schemas.ts';
import { type NumberForm, policyNumberField, purchaseToken } from '../policy.ts';
import {
  personFields,
  subscriberFields,
  unsetNumber,
  unsetText,
  unsetTimestamp,
} from '../subscriber.ts';
import { createRequests, EXAMPLE_POLICY_NUMBER, POLICY_NUMBERS, TOKENS } from './requests.ts';

export const GroupLifeProduct = onFirstUse(() =>
  namedResponse(
    'GroupLifeProduct',
    {
      description: 'A group-life product with its service and class.',
    },
    { ...productFields(), ...classFields() },
  ),
);
export type GroupLifeProduct = z.output<ReturnType<typeof GroupLifeProduct>>;

/** The purchasers' own numbers (`group-life-user`). */
export const USER_NUMBERS: NumberForm = { prefix: '', digits: 10 };

/** The purchaser of a policy as a World stores it and details returns it. */
const user = (settings: Settings) =>
  namedResponse(
    'GroupLifeUser',
    { description: 'The purchaser of a group-life policy.' },
    {
      ...subscriberFields(
        settings,
        z.string().meta({
          description: `Number of the purchaser, ${USER_NUMBERS.digits} digits. It is not the \`policy_number\` of the policy.`,
          examples: ['4898671855'],
          'x-assumptions': ['group-life-user'],
        }),
      ),
      principal_policy_no: unsetText(),
      nin_number: unsetText(),
      id_url: unsetText(),
      profile_url: unsetText(),
      company_id: unsetNumber(),
      verify_phone: unsetNumber().meta({ description: '0 for new customers.' }),
      verify_email: unsetNumber().meta({ description: '0 for new customers.' }),
      town: unsetText(),
      state_of_residence: unsetText(),
      transaction_pin: unsetText(),
      occupation: unsetText(),
    },
  );
export type GroupLifeUser = z.output<ReturnType<typeof user>>;

const listedUser = (settings: Settings) =>
  namedResponse(
    'GroupLifeListedUser',
    { description: 'The purchaser of a listed policy. Details returns more fields.' },
    { ...personFields(settings), ...writtenFields() },
  );

const member = (settings: Settings) =>
  namedResponse(
    'GroupLifeMember',
    { description: 'An insured person.' },
    {
      id: id(),
      policy_id: id({ description: 'Id of the policy.' }),
      full_name: z.string().describe('Full name.'),
      gender: z.string().describe('Gender as sent in the request.'),
      occupation: z.string().describe('Occupation.'),
      date_of_birth: timestamp({ description: 'Date of birth, as midnight UTC.' }),
      // The wire's spelling of next of kin.
      next_of_kiln: z.string().describe('Full name of the next of kin.'),
      phone_number: z.string().meta(phoneMeta(settings, 'Phone number')),
      policy_type: z
        .string()
        .meta(withExample('The only documented value is `group-life`.', 'group-life')),
      deleted_at: unsetTimestamp(),
      ...writtenFields(),
    },
  );
export type GroupLifeMember = z.output<ReturnType<typeof member>>;

const policyFields = (settings: Settings) => ({
  id: id(),
  user_id: id({ description: 'Id of the purchaser.' }),
  product_id: boughtProductId(),
  merchant_id: id({ description: 'Id of the merchant.' }),
  policy_number: policyNumberField(
    POLICY_NUMBERS,
    EXAMPLE_POLICY_NUMBER,
    'group-life-policy-number',
  ),
  group_name: z.string().describe('Name of the group.'),
  group_type: z.string().describe('Kind of group.'),
  group_contact_address: z.string().describe('Address of the group.'),
  first_person_name: z.string().describe('Name of the first contact person in the group.'),
  first_person_phone: z
    .string()
    .meta(phoneMeta(settings, 'Phone number of the first contact person')),
  second_person_name: z.string().describe('Name of the second contact person in the group.'),
  second_person_phone: z
    .string()
    .nullable()
    .meta(
      phoneMeta(settings, 'Phone number of the second contact person', '. Null if none was sent.'),
    ),
  start_date: timestamp(assumed('First day of cover, as midnight UTC.', 'group-life-dates')),
  end_date: timestamp()
    .nullable()
    .meta(assumed('One year after start_date.', 'group-life-dates', 'month-end')),
  status: z.boolean().describe('The only documented value is true.'),
  deleted_at: unsetTimestamp(),
  ...writtenFields(),
});

const policy = (settings: Settings) =>
  namedResponse(
    'GroupLifePolicy',
    { description: 'A group-life policy with its purchaser, product and members.' },
    {
      ...policyFields(settings),
      user: user(settings),
      product: GroupLifeProduct(),
      group_life_members: z.array(member(settings)).describe('The insured members.'),
    },
  );
export type GroupLifePolicy = z.output<ReturnType<typeof policy>>;

const listedPolicy = (
  fields: ReturnType<typeof policy>['shape'],
  purchaser: ReturnType<typeof listedUser>,
) =>
  namedResponse(
    'GroupLifeListedPolicy',
    assumed(
      'A group-life policy in the list. Its purchaser has fewer fields than in details.',
      'group-life-items',
    ),
    { ...fields, user: purchaser },
  );
export type GroupLifeListedPolicy = z.output<ReturnType<typeof listedPolicy>>;

/** The responses of the operations under these settings, by their names in documents. */
function createResponses(settings: Settings) {
  const GroupLifePolicy = policy(settings);
  const GroupLifeListedUser = listedUser(settings);
  const GroupLifeListedPolicy = listedPolicy(GroupLifePolicy.shape, GroupLifeListedUser);
  return {
    GroupLifePurchaseToken: purchaseToken(settings, 'GroupLifePurchaseToken', TOKENS),
    GroupLifePolicy,
    GroupLifeListedUser,
    GroupLifePolicyPage: pageOf(settings, GroupLifeListedPolicy)
      .openapi('GroupLifePolicyPage')
      .describe('One page of group-life policies.'),
  };
}

/** The requests of the operations under these settings, and the responses, which calls do not need. */
export const createSchemas = (settings: Settings) => ({
  ...createRequests(settings),
  responses: onFirstUse(() => createResponses(settings)),
});

/** The published schemas. */
export const SCHEMAS = createSchemas(PUBLISHED);

/** A policy as a World stores it. Its product is in the catalogue. */
export const GroupLifePolicyRecord = onFirstUse(() => {
  const { product: _, ...stored } = SCHEMAS.responses().GroupLifePolicy.shape;
  return z.strictObject(stored);
});
export type GroupLifePolicyRecord = z.output<ReturnType<typeof GroupLifePolicyRecord>>;
