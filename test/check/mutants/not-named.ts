/* The mutants whose operation a check does not name, and why. */

/** Mutants with one reason. */
const because = (reason: string, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, reason]));

const altered = (operation: string, fields: string): string[] =>
  fields.split(' ').map((field) => `${operation}: $.data.${field} altered`);

export const NOT_NAMED: Readonly<Record<string, string>> = {
  ...because(
    'only policies that were there before the check have a value there',
    altered(
      'listMicroHealthSubscriptions',
      'data[].address data[].middle_name data[].gender data[].next_of_kin_full_name data[].beneficiary[].phone_no data[].beneficiary[].date_of_birth data[].beneficiary[].surname data[].beneficiary[].email data[].beneficiary[].address data[].beneficiary[].gender data[].beneficiary[].product_id',
    ),
  ),
  ...because('no other answer shows this value', [
    ...altered(
      'listMicroHealthSubscriptions',
      'data[].updated_at data[].beneficiary[].id data[].transactions[].id data[].transactions[].created_at data[].transactions[].updated_at',
    ),
    ...altered('verifyMotorPolicy', 'id user_id'),
  ]),
  ...because('two answers show this value, and the other one is told', [
    ...altered('initiateMotorPolicy', 'policy_number'),
    ...altered(
      'verifyGroupLifePolicy',
      'user.policy_no user.have_beneficiaries user.merchant_user_id',
    ),
  ]),
  ...because('the operation that refuses this value is told', [
    ...altered('getMicroHealthQuote', 'quote_price'),
    ...altered('verifyMicroHealthSubscription', 'policy_no'),
    ...altered('verifyGroupLifePolicy', 'policy_number'),
    ...altered('initiateMotorPolicy', 'token'),
    ...altered('initiateGroupLifePolicy', 'token'),
  ]),
  ...because('no probe reads the link to the page before', [
    ...altered('listMicroHealthSubscriptions', 'prev_page_url'),
    ...altered('listGroupLifePolicies', 'prev_page_url'),
  ]),
  ...because('tokens of all families live longer, and the first family is told', [
    'verifyMotorPolicy: tokens live 1 ms longer',
    'verifyGroupLifePolicy: tokens live 1 ms longer',
  ]),
  'getMicroHealthQuote: $.data.quote_price rounded otherwise': 'prices are the provider’s',
};
