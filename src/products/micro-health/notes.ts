/* What programs read of the responses, and how they recover from a lost one, in Markdown. */

export const NOTES = `
Verify, renewal, look-up and list have \`message\`, all others \`response_message\`. Verify and renewal return:

\`{"success":true,"message":"…","data":{"policy_no":"7382347143","subscriptions_type":"monthly","subscriptions_no":1,"end_date":"2026-02-28T10:00:00.000000Z"}}\`

- The look-up returns the same; the list has it in \`subscriptions\`.
- Optional: \`profile_url\`, the beneficiary, \`second_beneficiary_full_name\`, \`third_…\`.
- A quote has \`data.quote_price\`. \`no_of_users\` 1 is the customer alone; each beneficiary name adds one. Frequencies: monthly, quarterly, annually; a renewal keeps that of the purchase.
- A renewal adds 1 to \`subscriptions_no\`. One without a response may be carried out late: wait as long again as your timeout, and send it again only if \`subscriptions_no\` has not moved.`.trim();
