import { z } from '@hono/zod-openapi';
import { pageFields } from '../../api/pagination.ts';
import {
  address,
  date,
  email,
  gender,
  optional,
  productId,
  text,
} from '../../api/request-fields.ts';
import { phoneIn, type RequestForms, underForms, WIDEST_FORMS } from '../../api/request-forms.ts';
import { SHARED_SETTINGS } from '../../world/settings.ts';
import { policyNumberSpelling } from '../policy.ts';
import { verifyRequest } from '../purchase-token.ts';
import { EXAMPLE_POLICY_NUMBER, EXAMPLE_REQUEST, EXAMPLE_TOKEN } from './examples.ts';
import { members } from './members.ts';

const initiateRequest = (forms: RequestForms) =>
  z
    .object({
      email: email({
        description: 'E-mail address of the purchaser.',
        examples: ['ada@example.com'],
      }),
      first_name: text({ description: 'First name of the purchaser.', examples: ['Ada'] }),
      surname: text({ description: 'Surname of the purchaser.', examples: ['Obi'] }),
      phone_no: phoneIn(forms, { description: '11 digits.', examples: ['08031234567'] }),
      gender: gender({ description: 'female or male.', examples: ['female'] }),
      dob: date({
        description: 'Date of birth of the purchaser, Y-m-d, not after today.',
        examples: ['1990-04-12'],
        'x-documented': ['time-zone'],
      }),
      product_id: productId({ description: 'A group-life product.', examples: [2] }),
      group_name: text({ description: 'Name of the group.', examples: ['Balogun Traders'] }),
      group_type: text({ description: 'Kind of group.', examples: ['Trade association'] }),
      group_contact_address: address({
        description: 'Address of the group.',
        examples: ['14 Balogun Street, Lagos'],
      }),
      first_person_name: text({
        description: 'First person to ask for in the group.',
        examples: ['Ada Obi'],
      }),
      first_person_phone: phoneIn(forms, { description: '11 digits.', examples: ['08031234567'] }),
      second_person_name: text({
        description: 'Second person to ask for in the group.',
        examples: ['Tunde Bello'],
      }),
      members: members(forms),
      second_person_phone: optional(
        phoneIn(forms, { description: '11 digits.', examples: ['08059876543'] }),
      ),
      status: z
        .unknown()
        .optional()
        .meta({
          description: 'Accepted and ignored.',
          examples: [true],
          'x-assumptions': ['group-life-initiate-body'],
        }),
      start_date: optional(
        date({
          description: 'First day of cover, Y-m-d; the day of verify in UTC unless given.',
          examples: ['2026-02-01'],
          'x-assumptions': [
            'text-and-numbers',
            'group-life-initiate-body',
            'group-life-dates',
            'date-limits',
          ],
          'x-documented': ['time-zone'],
        }),
      ),
    })
    .openapi('GroupLifeInitiateRequest')
    .meta({
      description: 'A policy for a group of people.',
      examples: [EXAMPLE_REQUEST],
      'x-assumptions': ['group-life-initiate-body'],
    });
export const GroupLifeInitiateRequest = initiateRequest(SHARED_SETTINGS);
export const otherInitiateRequest = underForms(initiateRequest);
/** With every value that any profile lets into a pending purchase. */
export const widestInitiateRequest = () =>
  otherInitiateRequest(WIDEST_FORMS) ?? GroupLifeInitiateRequest;
export type GroupLifeInitiateRequest = z.output<typeof GroupLifeInitiateRequest>;

export const GroupLifeVerifyRequest = verifyRequest('GroupLifeVerifyRequest', EXAMPLE_TOKEN, {
  'x-assumptions': ['group-life-verify-body', 'token-unknown'],
});

export const GroupLifeListRequest = z.object(pageFields).openapi('GroupLifeListRequest');

const askedNumber = policyNumberSpelling(EXAMPLE_POLICY_NUMBER, 'group-life-details-field');

export const GroupLifeDetailsRequest = z
  .object({
    policy_number: askedNumber({
      description: 'The policy number; Policy_number and policyNumber are accepted too.',
    }),
    Policy_number: askedNumber({ 'x-unpublished': true }),
    policyNumber: askedNumber({ 'x-unpublished': true }),
  })
  .openapi('GroupLifeDetailsRequest')
  .meta({
    description: 'The policy to look up.',
    examples: [{ policy_number: EXAMPLE_POLICY_NUMBER }],
    required: ['policy_number'],
    'x-assumptions': ['group-life-details-field'],
  });
export type GroupLifeDetailsRequest = z.output<typeof GroupLifeDetailsRequest>;
