import type { z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import type { SuccessBody } from '../../src/api/envelope.ts';
import type { GroupLifeMemberRequest } from '../../src/products/group-life/members.ts';
import type * as groupLife from '../../src/products/group-life/requests.ts';
import type {
  GroupLifeListedPolicy,
  GroupLifePolicy,
  GroupLifePolicyPage,
  GroupLifePurchaseToken,
} from '../../src/products/group-life/schemas.ts';
import type { families } from '../../src/products/index.ts';
import type * as microHealth from '../../src/products/micro-health/requests.ts';
import type {
  MicroHealthPurchaseToken,
  MicroHealthQuote,
  MicroHealthSubscriberPage,
  MicroHealthSubscription,
} from '../../src/products/micro-health/schemas.ts';
import type * as motor from '../../src/products/motor/requests.ts';
import type {
  MotorInitiatedPolicy,
  MotorPolicy,
  MotorPolicyList,
  MotorQuote,
  MotorVerifiedPolicy,
} from '../../src/products/motor/schemas.ts';
import type * as wire from '../../src/wire.ts';
import { same } from '../support/same-types.ts';

/* Compares the types in `src/wire.ts` with the schemas of requests and responses. */

type Part<Key extends keyof wire.Operations[wire.OperationId]> = {
  [O in wire.OperationId]: wire.Operations[O][Key];
};

type Success<Code extends string | number | undefined, Data extends z.ZodType> = Omit<
  SuccessBody<Code, z.output<Data>>,
  'success'
> & { success: true };

interface Responses {
  getMicroHealthQuote: Success<string, typeof MicroHealthQuote>;
  initiateMicroHealthSubscription: Success<string, typeof MicroHealthPurchaseToken>;
  verifyMicroHealthSubscription: Success<undefined, typeof MicroHealthSubscription>;
  topUpMicroHealthSubscription: Success<undefined, typeof MicroHealthSubscription>;
  listMicroHealthSubscriptions: Success<undefined, typeof MicroHealthSubscriberPage>;
  validateMicroHealthPolicy: Success<undefined, typeof MicroHealthSubscription>;
  initiateMotorPolicy: Success<string, typeof MotorInitiatedPolicy>;
  verifyMotorPolicy: Success<string, typeof MotorVerifiedPolicy>;
  listMotorPolicies: Success<string, typeof MotorPolicyList>;
  getMotorPolicyDetails: Success<string, typeof MotorPolicy>;
  getMotorQuote: Success<string, typeof MotorQuote>;
  initiateGroupLifePolicy: Success<number, typeof GroupLifePurchaseToken>;
  verifyGroupLifePolicy: Success<number, typeof GroupLifePolicy>;
  listGroupLifePolicies: Success<number, typeof GroupLifePolicyPage>;
  getGroupLifePolicyDetails: Success<number, typeof GroupLifePolicy>;
}

interface Failure<Code> {
  success: false;
  response_code: Code;
  data: { error: string[] };
}

/** Null counts as missing: it is removed before validation. */
type Stripped<T> = { [Key in keyof T]: undefined extends T[Key] ? Exclude<T[Key], null> : T[Key] };

/** A query sends text where a client passes numbers. */
type AsText<T> = { [Key in keyof T]: number extends T[Key] ? string | undefined : T[Key] };

/** The published spelling of a field that has several. */
type Published<T, Key extends keyof T> = { [K in Key]-?: Exclude<T[K], undefined> };

test('the wire types equal the types of the schemas', () => {
  type MicroHealth = typeof microHealth;
  type Motor = typeof motor;
  type GroupLife = typeof groupLife;
  const held = [
    same<Pick<Part<'response'>, keyof Responses>, Responses>(true),
    same<wire.GroupLifeListedPolicy, z.output<typeof GroupLifeListedPolicy>>(true),
    same<wire.CodedFailure, Failure<string> & { response_message: string }>(true),
    same<wire.MessageFailure, Failure<string> & { message: string }>(true),
    same<wire.StatusFailure, Failure<number> & { response_message: string }>(true),

    same<wire.MicroHealthQuoteRequest, z.input<MicroHealth['MicroHealthQuoteRequest']>>(true),
    same<
      Stripped<wire.MicroHealthInitiateRequest>,
      z.input<MicroHealth['MicroHealthInitiateRequest']>
    >(true),
    same<wire.MicroHealthVerifyRequest, z.input<MicroHealth['MicroHealthVerifyRequest']>>(true),
    same<wire.MicroHealthTopUpRequest, z.input<MicroHealth['MicroHealthTopUpRequest']>>(true),
    same<wire.MotorInitiateRequest, z.input<Motor['MotorInitiateRequest']>>(true),
    same<wire.MotorVerifyRequest, z.input<Motor['MotorVerifyRequest']>>(true),
    same<
      wire.MotorDetailsRequest,
      Published<z.input<Motor['MotorDetailsRequest']>, 'Policy_number'>
    >(true),
    same<wire.MotorQuoteRequest, z.input<Motor['MotorQuoteRequest']>>(true),
    same<
      Omit<Stripped<wire.GroupLifeInitiateRequest>, 'members'>,
      Omit<z.input<GroupLife['GroupLifeInitiateRequest']>, 'members'>
    >(true),
    same<
      wire.GroupLifeInitiateRequest['members'],
      z.input<typeof GroupLifeMemberRequest>[] | string
    >(true),
    same<wire.GroupLifeVerifyRequest, z.input<GroupLife['GroupLifeVerifyRequest']>>(true),
    same<
      wire.GroupLifeDetailsRequest,
      Published<z.input<GroupLife['GroupLifeDetailsRequest']>, 'policy_number'>
    >(true),

    same<
      AsText<wire.Operations['listMicroHealthSubscriptions']['query']>,
      z.input<MicroHealth['MicroHealthListRequest']>
    >(true),
    same<
      AsText<wire.Operations['listGroupLifePolicies']['query']>,
      z.input<GroupLife['GroupLifeListRequest']>
    >(true),
    same<
      wire.Operations['validateMicroHealthPolicy']['params'],
      z.input<MicroHealth['MicroHealthValidateRequest']>
    >(true),
    same<wire.Operations['listMotorPolicies']['query'], undefined>(true),
    same<wire.Operations['verifyMotorPolicy']['body'], wire.MotorVerifyRequest>(true),
    same<wire.OperationId, keyof wire.Operations>(true),
    same<wire.Family, (typeof families)[number]['key']>(true),
  ];
  expect(held).not.toContain(false);
});
