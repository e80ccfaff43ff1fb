/* Mutants that a check sees elsewhere, or not at all, each with its reason. */

const OTHERS = 'null in what a check buys; of the records of others nothing else is known';
const NOWHERE_ELSE = 'no other call answers it, and nothing says what it should be';
const ONE_TO_ONE = 'two calls disagree, and no third one answers it: the later one is told';
const ASKED_WITH = 'later calls ask with it, and are the ones that fail';

export const NOT_NAMED: Readonly<Record<string, string>> = {
  'verifyMicroHealthSubscription: $.data.policy_no altered': ASKED_WITH,
  'initiateMotorPolicy: $.data.token altered': ASKED_WITH,
  'initiateGroupLifePolicy: $.data.token altered': ASKED_WITH,
  'verifyGroupLifePolicy: $.data.policy_number altered': ASKED_WITH,
  'verifyGroupLifePolicy: $.data.user.policy_no altered': ONE_TO_ONE,
  'listMicroHealthSubscriptions: $.data.data[].middle_name altered': OTHERS,
  'listMicroHealthSubscriptions: $.data.data[].address altered': OTHERS,
  'listMicroHealthSubscriptions: $.data.data[].gender altered': OTHERS,
  'listMicroHealthSubscriptions: $.data.data[].next_of_kin_full_name altered': OTHERS,
  'listMicroHealthSubscriptions: $.data.data[].beneficiary[].surname altered': OTHERS,
  'listMicroHealthSubscriptions: $.data.data[].beneficiary[].email altered': OTHERS,
  'listMicroHealthSubscriptions: $.data.data[].beneficiary[].phone_no altered': OTHERS,
  'listMicroHealthSubscriptions: $.data.data[].beneficiary[].address altered': OTHERS,
  'listMicroHealthSubscriptions: $.data.data[].beneficiary[].gender altered': OTHERS,
  'listMicroHealthSubscriptions: $.data.data[].beneficiary[].date_of_birth altered': OTHERS,
  'listMicroHealthSubscriptions: $.data.data[].beneficiary[].product_id altered': OTHERS,
  'listMicroHealthSubscriptions: $.data.data[].beneficiary[].id altered': NOWHERE_ELSE,
  'listMicroHealthSubscriptions: $.data.data[].transactions[].id altered': NOWHERE_ELSE,
  'listGroupLifePolicies: $.data.data[].deleted_at altered': ONE_TO_ONE,
  'listGroupLifePolicies: $.data.data[].user.middle_name altered': ONE_TO_ONE,
  'listGroupLifePolicies: $.data.data[].user.address altered': ONE_TO_ONE,
  'listGroupLifePolicies: $.data.data[].group_life_members[].deleted_at altered': ONE_TO_ONE,
  'verifyMotorPolicy: $.data.id altered': NOWHERE_ELSE,
  'verifyMotorPolicy: $.data.user_id altered': NOWHERE_ELSE,
};
