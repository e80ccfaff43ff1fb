/** Whether a text is an http or https address that paths can be put after. */
export const isBaseUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/?#][^\s?#]*$/i.test(text) && URL.canParse(text);
