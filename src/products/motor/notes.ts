/* What programs read of the responses, and how they recover from a lost one, in Markdown. */

export const NOTES = `
- A quote has \`data.premium\`. Frequencies: monthly, quarterly, yearly.
- Initiate already has the final \`policy_number\`: look it up when the response of verify is lost.
- \`status\` is true in verify, "activated" in the list. \`duration\` is returned as sent.`.trim();
