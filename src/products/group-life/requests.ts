/* The requests of group life, field by field, as documents show and schemas read them. */

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
import { paddedPhone } from '../../world/limits.ts';
import type { Settings } from '../../world/settings.ts';
import { TIME_ZONE } from '../../world/time-zone.ts';
import { stampedTokens } from '../../world/tokens.ts';
import { assumed, ignored, namedRequest, withExample } from '../named-schemas.ts';
import { detailsRequest, type NumberForm, type PolicyLookup, verifyRequest } from '../policy.ts';
import { birthDate, phoneOf } from '../subscriber.ts';
import { memberRequest, members } from './members.ts';

/** The purchase tokens of group life (`token-format`). */
export const TOKENS = stampedTokens('GLP', 'GLP176985360040173958');

/** The policy numbers of group life (`group-life-policy-number`). */
export const POLICY_NUMBERS: NumberForm = { prefix: 'IN', digits: 8 };
/** A policy of the demo merchant, so that the look-up works as the documents show it. */
export const EXAMPLE_POLICY_NUMBER = 'IN59810802';

/** The service returns true. */
const STATUS_TYPES = ['boolean', 'string', 'number'];

const initiateRequest = (settings: Settings, member = memberRequest(settings)) => {
  const phone = (whose: string, example: string) => phoneOf(settings, whose, example);
  return namedRequest(
    'GroupLifeInitiateRequest',
    assumed('The details of a new policy.', 'group-life-initiate-body'),
    {
      email: email(withExample('E-mail address of the purchaser.', 'ada@example.com')),
      first_name: text(withExample('First name of the purchaser.', 'Ada')),
      surname: text(withExample('Surname of the purchaser.', 'Obi')),
      phone_no: phone('the purchaser', paddedPhone('0803', '1234567')),
      gender: gender(
        withExample('Gender of the purchaser, `female` or `male` in any case.', 'female'),
      ),
      dob: birthDate('the purchaser', '1990-04-12'),
      product_id: productId(withExample('Id of a group-life product.', 2)),
      group_name: text(withExample('Name of the group.', 'Balogun Traders')),
      group_type: text(withExample('Kind of group.', 'Trade association')),
      group_contact_address: address(
        withExample('Address of the group.', '14 Balogun Street, Lagos'),
      ),
      first_person_name: text(
        withExample('Name of the first contact person in the group.', 'Ada Obi'),
      ),
      first_person_phone: phone('the first contact person', paddedPhone('0803', '1234567')),
      second_person_name: text(
        withExample('Name of the second contact person in the group.', 'Tunde Bello'),
      ),
      members: members(settings, member),
      second_person_phone: optional(
        phone('the second contact person', paddedPhone('0805', '9876543')),
      ),
      start_date: optional(
        date({
          description: `First day of cover, YYYY-MM-DD. The default is the day of verify in ${TIME_ZONE.in(settings)}.`,
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
      status: ignored('Status.', 'group-life-initiate-body', STATUS_TYPES),
    },
  );
};
export type GroupLifeInitiateRequest = z.output<ReturnType<typeof initiateRequest>>;

const GroupLifeVerifyRequest = verifyRequest('GroupLifeVerifyRequest', TOKENS, {
  'x-assumptions': ['group-life-verify-body', 'token-unknown'],
});

export const LOOKUP: PolicyLookup = {
  spellings: ['policy_number', 'Policy_number', 'policyNumber'],
  specified: ['policy_number'],
  assumption: 'group-life-details-field',
  example: EXAMPLE_POLICY_NUMBER,
};

const GroupLifeDetailsRequest = detailsRequest('GroupLifeDetailsRequest', LOOKUP);

/** The requests of group life under these settings, by their names in documents. */
export function createRequests(settings: Settings) {
  const GroupLifeMemberRequest = memberRequest(settings);
  return {
    GroupLifeInitiateRequest: initiateRequest(settings, GroupLifeMemberRequest),
    GroupLifeMemberRequest,
    GroupLifeVerifyRequest,
    GroupLifeListRequest: z.object(pageFields(settings)).openapi('GroupLifeListRequest'),
    GroupLifeDetailsRequest,
  };
}
