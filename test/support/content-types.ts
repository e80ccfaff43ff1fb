/** Spellings of JSON that RFC 9110 allows in a Content-Type. */
export const JSON_TYPES = [
  'Application/JSON; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json;',
  'application/json ;charset=utf-8',
  'application/json\t;\tcharset=utf-8',
  'application/json; charset="utf-8"',
  'application/json; charset="a;b"; profile="https://shop.example/order"',
  'application/json;; charset=utf-8 ;',
  'application/json; charset=latin1',
] as const;

/** What is not JSON. */
export const OTHER_TYPES = [
  'text/plain',
  'text/json',
  'application/vnd.x+json',
  'application/jsonp',
  'application/json/x',
  'application/json charset=utf-8',
  'application/json, application/json',
] as const;

export const NOT_JSON_TYPE = 'The Content-Type header must be application/json.';
