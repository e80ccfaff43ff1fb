import type { z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import type { SCHEMAS as GROUP_LIFE } from '../../src/products/group-life/schemas.ts';
import type { families } from '../../src/products/index.ts';
import type { SCHEMAS as MICRO_HEALTH } from '../../src/products/micro-health/schemas.ts';
import type { SCHEMAS as MOTOR } from '../../src/products/motor/schemas.ts';
import type * as wire from '../../src/types/wire.ts';
import type { MotorSampleField } from '../support/requests.ts';
import { same } from '../support/same-types.ts';

/* Compares the types in `src/types/wire.ts` with the schemas of requests and responses. */

type Part<Key extends keyof wire.Operations[wire.OperationId]> = {
  [O in wire.OperationId]: wire.Operations[O][Key];
};

type AllOf<Schemas extends { responses(): object }> = Schemas & ReturnType<Schemas['responses']>;
type MicroHealth = AllOf<typeof MICRO_HEALTH>;
type Motor = AllOf<typeof MOTOR>;
type GroupLife = AllOf<typeof GROUP_LIFE>;

type Success<Code extends string | number | undefined, Data extends z.ZodType> = Code extends
  | string
  | number
  ? { success: true; data: z.output<Data>; response_message: string; response_code: Code }
  : { success: true; data: z.output<Data>; message: string };

interface Responses {
  getMicroHealthQuote: Success<string, MicroHealth['MicroHealthQuote']>;
  initiateMicroHealthSubscription: Success<string, MicroHealth['MicroHealthPurchaseToken']>;
  verifyMicroHealthSubscription: Success<undefined, MicroHealth['MicroHealthSubscription']>;
  topUpMicroHealthSubscription: Success<undefined, MicroHealth['MicroHealthSubscription']>;
  listMicroHealthSubscriptions: Success<undefined, MicroHealth['MicroHealthSubscriberPage']>;
  validateMicroHealthPolicy: Success<undefined, MicroHealth['MicroHealthSubscription']>;
  initiateMotorPolicy: Success<string, Motor['MotorInitiatedPolicy']>;
  verifyMotorPolicy: Success<string, Motor['MotorVerifiedPolicy']>;
  listMotorPolicies: Success<string, Motor['MotorPolicyList']>;
  getMotorPolicyDetails: Success<string, Motor['MotorPolicy']>;
  getMotorQuote: Success<string, Motor['MotorQuote']>;
  initiateGroupLifePolicy: Success<number, GroupLife['GroupLifePurchaseToken']>;
  verifyGroupLifePolicy: Success<number, GroupLife['GroupLifePolicy']>;
  listGroupLifePolicies: Success<number, GroupLife['GroupLifePolicyPage']>;
  getGroupLifePolicyDetails: Success<number, GroupLife['GroupLifePolicy']>;
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

test('the wire types equal the types of the schemas', () => {
  const held = [
    same<Pick<Part<'response'>, keyof Responses>, Responses>(true),
    same<wire.GroupLifeListedPolicy, z.output<GroupLife['GroupLifePolicyPage']>['data'][number]>(
      true,
    ),
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
    same<
      Omit<wire.MotorInitiateRequest, MotorSampleField>,
      Omit<z.input<Motor['MotorInitiateRequest']>, MotorSampleField>
    >(true),
    same<
      wire.MotorInitiateRequest['amount_insured' | 'id_number'],
      string | number | null | undefined
    >(true),
    same<wire.MotorVerifyRequest, z.input<Motor['MotorVerifyRequest']>>(true),
    same<wire.MotorDetailsRequest, z.input<Motor['MotorDetailsRequest']>>(true),
    same<wire.MotorQuoteRequest, z.input<Motor['MotorQuoteRequest']>>(true),
    same<
      Omit<Stripped<wire.GroupLifeInitiateRequest>, 'members' | 'status'>,
      Omit<z.input<GroupLife['GroupLifeInitiateRequest']>, 'members' | 'status'>
    >(true),
    same<
      wire.GroupLifeInitiateRequest['members'],
      z.input<GroupLife['GroupLifeMemberRequest']>[] | string
    >(true),
    same<wire.GroupLifeVerifyRequest, z.input<GroupLife['GroupLifeVerifyRequest']>>(true),
    same<wire.GroupLifeDetailsRequest, z.input<GroupLife['GroupLifeDetailsRequest']>>(true),

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
