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
import { phoneIn, type RequestForms, underForms } from '../../api/request-forms.ts';
import { SHARED_SETTINGS } from '../../world/settings.ts';
import { assumed, namedRequest, withExample } from '../named-schemas.ts';
import { detailsRequest, type PolicyLookup, verifyRequest } from '../policy.ts';
import { members } from './members.ts';

export const EXAMPLE_TOKEN = 'GLP176985360040173958';
export const EXAMPLE_POLICY_NUMBER = 'IN40173958';

const initiateRequest = (forms: RequestForms) => {
  const phone = (example: string) => phoneIn(forms, withExample('11 digits.', example));
  return namedRequest(
    'GroupLifeInitiateRequest',
    assumed('A policy for a group of people.', 'group-life-initiate-body'),
    {
      email: email(withExample('E-mail address of the purchaser.', 'ada@example.com')),
      first_name: text(withExample('First name of the purchaser.', 'Ada')),
      surname: text(withExample('Surname of the purchaser.', 'Obi')),
      phone_no: phone('08031234567'),
      gender: gender(withExample('female or male.', 'female')),
      dob: date({
        description: 'Date of birth of the purchaser, Y-m-d, not after today.',
        examples: ['1990-04-12'],
        'x-documented': ['time-zone'],
      }),
      product_id: productId(withExample('A group-life product.', 2)),
      group_name: text(withExample('Name of the group.', 'Balogun Traders')),
      group_type: text(withExample('Kind of group.', 'Trade association')),
      group_contact_address: address(
        withExample('Address of the group.', '14 Balogun Street, Lagos'),
      ),
      first_person_name: text(withExample('First person to ask for in the group.', 'Ada Obi')),
      first_person_phone: phone('08031234567'),
      second_person_name: text(
        withExample('Second person to ask for in the group.', 'Tunde Bello'),
      ),
      members: members(forms),
      second_person_phone: optional(phone('08059876543')),
      status: z
        .unknown()
        .optional()
        .meta(withExample('Accepted and ignored.', true, 'group-life-initiate-body')),
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
    },
    ['status'],
  );
};
export const GroupLifeInitiateRequest = initiateRequest(SHARED_SETTINGS);
export const otherInitiateRequest = underForms(initiateRequest);
export type GroupLifeInitiateRequest = z.output<typeof GroupLifeInitiateRequest>;

export const GroupLifeVerifyRequest = verifyRequest('GroupLifeVerifyRequest', EXAMPLE_TOKEN, {
  'x-assumptions': ['group-life-verify-body', 'token-unknown'],
});

export const GroupLifeListRequest = z.object(pageFields).openapi('GroupLifeListRequest');

export const LOOKUP: PolicyLookup = {
  spellings: ['policy_number', 'Policy_number', 'policyNumber'],
  assumption: 'group-life-details-field',
};

export const GroupLifeDetailsRequest = detailsRequest(
  'GroupLifeDetailsRequest',
  'The policy to look up.',
  LOOKUP,
  EXAMPLE_POLICY_NUMBER,
);
export type GroupLifeDetailsRequest = z.output<typeof GroupLifeDetailsRequest>;
