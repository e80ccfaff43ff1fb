const OF_EARLIER_RECORDS = 'only policies that were there before the check have a value there';

/** Mutants whose operation a check does not name, and why. */
export const NOT_NAMED: Readonly<Record<string, string>> = {
  'listMicroHealthSubscriptions: $.data.data[].address altered': OF_EARLIER_RECORDS,
  'listMicroHealthSubscriptions: $.data.data[].beneficiary[].phone_no altered': OF_EARLIER_RECORDS,
  'listMicroHealthSubscriptions: $.data.data[].beneficiary[].date_of_birth altered':
    OF_EARLIER_RECORDS,
  'listMicroHealthSubscriptions: $.data.prev_page_url altered':
    'no probe reads the link to the page before',
  'getMicroHealthQuote: $.data.quote_price rounded otherwise': 'prices are the provider’s',
  'verifyMotorPolicy: $.data.id altered': 'no other answer shows this id',
  'initiateGroupLifePolicy: 400 answered as 402':
    'the other operation of the family that is asked with broken JSON is told as the odd one',
};
