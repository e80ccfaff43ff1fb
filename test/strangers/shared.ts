/* What the strangers share: a socket, keys and calendar arithmetic. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Fields = Record<string, unknown>;

/** How one stranger is to be started. */
export interface StrangerOptions {
  /** Policies of each family that are there before. */
  records?: number;
  /** Milliseconds that the server takes for the time. */
  now?: () => number;
}

/** A request that the stranger saw. */
export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  /** Parsed JSON; undefined where the body is none. */
  body: unknown;
  /** Address of the server as the caller wrote it. */
  base: string;
  now: Date;
  merchant: Merchant;
}

export interface Reply {
  status: number;
  /** An object is written as JSON, a text as it is. */
  body: unknown;
  headers?: Record<string, string>;
}

interface Pending {
  family: string;
  fields: Fields;
  at: number;
  /** The policy that it became. */
  policy?: Fields;
}

export interface Merchant {
  id: number;
  subscribers: Fields[];
  motor: Fields[];
  groups: Fields[];
  pending: Map<string, Pending>;
}

/** One author's implementation. */
export interface Author {
  /** By method and path; the path of validate_policy ends in `/:policy_no`. */
  routes: Record<string, (call: Call, parameter: string) => Reply>;
  unauthorized: (call: Call) => Reply;
  unknownRoute: (call: Call) => Reply;
  wrongMethod: (call: Call) => Reply;
  /** Fills the merchant with policies of each family. */
  populate: (merchant: Merchant, count: number, now: Date) => void;
}

export interface Stranger {
  url: string;
  key: string;
  otherKey: string;
  close: () => Promise<void>;
}

const PAGE = '<!DOCTYPE html><html><head><title>Error</title></head><body>Error</body></html>';
const VALIDATE = '/api/merchant/micro_health/validate_policy/';

export async function serveStranger(
  options: StrangerOptions,
  createAuthor: () => Author,
): Promise<Stranger> {
  const author = createAuthor();
  const now = () => new Date(options.now?.() ?? Date.now());
  const merchants = new Map(
    ['live_5f1c', 'live_9a2e'].map((key, index) => [
      key,
      { id: 41 + index, subscribers: [], motor: [], groups: [], pending: new Map() } as Merchant,
    ]),
  );
  const [first] = merchants.values();
  if (first !== undefined) author.populate(first, options.records ?? 0, now());
  const answer = (call: Omit<Call, 'merchant'>): Reply => {
    const key = /^Bearer (\S+)$/i.exec(call.headers.authorization ?? '')?.[1] ?? '';
    const merchant = merchants.get(key);
    if (merchant === undefined) return author.unauthorized(call as Call);
    const whole = { ...call, merchant };
    const isValidate = call.path.startsWith(VALIDATE) && call.path.length > VALIDATE.length;
    const path = isValidate ? `${VALIDATE}:policy_no` : call.path;
    const route = author.routes[`${call.method} ${path}`];
    if (route !== undefined)
      return route(whole, isValidate ? decodeURIComponent(call.path.slice(VALIDATE.length)) : '');
    const isKnown = Object.keys(author.routes).some((known) => known.endsWith(` ${path}`));
    return isKnown ? author.wrongMethod(whole) : author.unknownRoute(whole);
  };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const raw = Buffer.concat(parts).toString('utf8');
    const base = `http://${request.headers.host}`;
    const url = new URL(request.url ?? '/', base);
    const call = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: parsed(raw),
      base,
      now: now(),
    };
    let reply: Reply;
    try {
      reply = answer(call);
    } catch {
      // A date beyond the calendar, say.
      reply = { status: 500, body: PAGE };
    }
    const isText = typeof reply.body === 'string';
    const type = !isText
      ? 'application/json'
      : String(reply.body).startsWith('<')
        ? 'text/html; charset=UTF-8'
        : 'text/plain; charset=utf-8';
    response.writeHead(reply.status, { 'Content-Type': type, ...reply.headers });
    response.end(isText ? reply.body : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    key: 'live_5f1c',
    otherKey: 'live_9a2e',
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** The body as an object; anything else is an empty one. */
export const fieldsOf = (call: Call): Fields =>
  typeof call.body === 'object' && call.body !== null && !Array.isArray(call.body)
    ? (call.body as Fields)
    : {};

export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value);

export const isBlank = (value: unknown): boolean => textOf(value).trim() === '';

/** Whether the text is a real calendar day, Y-m-d. */
export const isDay = (value: unknown): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(textOf(value)) &&
  new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value;

export function overflowMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  return moved;
}

export function clampMonths(date: Date, months: number): Date {
  const moved = overflowMonths(date, months);
  if (moved.getUTCDate() !== date.getUTCDate()) moved.setUTCDate(0);
  return moved;
}

export const addDays = (date: Date, days: number): Date =>
  new Date(date.getTime() + days * 86_400_000);

/** Y-m-d of the moment, by a clock that is some hours ahead of UTC. */
export const dayOf = (date: Date, hoursAhead = 0): string =>
  new Date(date.getTime() + hoursAhead * 3_600_000).toISOString().slice(0, 10);

export const microseconds = (date: Date): string => `${date.toISOString().slice(0, 19)}.000000Z`;

/** Digits that look random and never repeat. */
export function createDigits(start: number): (length: number) => string {
  let count = start;
  return (length) => {
    count += 1;
    return String((count * 7_919_377) % 10 ** Math.min(length, 12)).padStart(length, '4');
  };
}

export const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));

/** The motor request's fields that a policy repeats under the same name. */
export const MOTOR_FIELDS = [
  'registration_no',
  'vehicle_make',
  'vehicle_model',
  'vehicle_color',
  'chasis_no',
  'engine_no',
  'speedometer_img',
  'engine_img',
  'interior_img',
  'front_view_img',
  'rear_view_img',
  'left_side_view_img',
  'right_side_view_img',
  'vehicle_license_img',
  'proof_of_ownership_img',
  'contact_person_name',
  'contact_person_address',
  'contact_person_phone_no',
] as const;

/** A purchase of each family, for the policies that are there before. */
export function samplePurchase(family: 'health' | 'motor' | 'group', product: number): Fields {
  if (family === 'health')
    return {
      first_name: 'Bisi',
      surname: 'Okoro',
      email: 'bisi@example.com',
      phone_no: '08031234567',
      date_of_birth: '1990-04-12',
      product_id: product,
      subscription_type: 'monthly',
      nin_number: '12345678901',
      id_url: 'https://files.example.com/id.png',
    };
  if (family === 'group')
    return {
      email: 'office@example.com',
      first_name: 'Ngozi',
      surname: 'Bello',
      phone_no: '08037654321',
      gender: 'female',
      dob: '1985-07-01',
      product_id: product,
      group_name: 'Weavers',
      group_type: 'cooperative',
      group_contact_address: '4 Market Road',
      first_person_name: 'Ngozi Bello',
      first_person_phone: '08037654321',
      second_person_name: 'Uche Bello',
      members: [
        {
          full_name: 'Ife Ade',
          gender: 'male',
          occupation: 'weaver',
          date_of_birth: '1992-02-02',
          next_of_kiln: 'Ola Ade',
          phone_number: '08030000001',
        },
      ],
    };
  return {
    ...Object.fromEntries(MOTOR_FIELDS.map((name) => [name, `https://files.example.com/${name}`])),
    first_name: 'Tunde',
    last_name: 'Alabi',
    phone_number: '08039876543',
    email: 'tunde@example.com',
    gender: 'male',
    product_id: String(product),
    frequency_type: 'yearly',
    sum_insured: 2_000_000,
    insurance_cover: 'bronze',
    tracker_value: 10_000,
    diagnostic_cost: 5_000,
    duration: 1,
    vehicle_type: 'saloon',
    start_date: '2026-01-05',
    year_make: '2019',
    contact_person_phone_no: '08039876543',
    inspection_date: '2026-01-04',
  };
}
