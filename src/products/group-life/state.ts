import { z } from '@hono/zod-openapi';
import { day, id } from '../../api/response-fields.ts';
import { RecordTable, type Tables } from '../../world/tables.ts';
import { createTokenStore, type TokenStore } from '../../world/tokens.ts';
import type { FamilyWorld } from '../family.ts';
import { GroupLifePolicyRecord } from './schemas.ts';

/** `fixtures/group-life.json`. */
export const GroupLifeRecords = z
  .strictObject({ policies: z.array(GroupLifePolicyRecord) })
  .openapi('GroupLifeRecords');
export type GroupLifeRecords = z.output<typeof GroupLifeRecords>;

/** What a pending policy remembers between initiate and verify. */
export const GroupLifeDetails = z
  .strictObject({
    email: z.string(),
    first_name: z.string(),
    surname: z.string(),
    phone_no: z.string(),
    gender: z.string(),
    dob: day(),
    product_id: id(),
    group_name: z.string(),
    group_type: z.string(),
    group_contact_address: z.string(),
    first_person_name: z.string(),
    first_person_phone: z.string(),
    second_person_name: z.string(),
    members: z.array(
      z.strictObject({
        full_name: z.string(),
        gender: z.string(),
        occupation: z.string(),
        date_of_birth: day(),
        next_of_kiln: z.string(),
        phone_number: z.string(),
      }),
    ),
    second_person_phone: z.string().nullable(),
    start_date: day().nullable(),
  })
  .openapi('GroupLifePendingDetails');
export type GroupLifeDetails = z.output<typeof GroupLifeDetails>;

/** What a World remembers of group life. */
export interface GroupLifeState {
  /** By policy number, oldest first; the numbers of their users are their own too (`group-life-user`). */
  readonly policies: RecordTable<GroupLifePolicyRecord>;
  readonly tokens: TokenStore<GroupLifeDetails>;
}

export type GroupLifeWorld = FamilyWorld & { readonly group_life: GroupLifeState };

export const createState = (_: object, tables: Tables): GroupLifeState => ({
  policies: new RecordTable(tables, 'group_life.policies', {
    own: ({ policy_number }) => policy_number,
    other: ({ user }) => user.policy_no,
  }),
  tokens: createTokenStore(tables, 'group_life'),
});
