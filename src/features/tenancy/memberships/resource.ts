import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { nullable } from '../../../http/schemas.ts';
import type { TableOf } from '../../../resources/field-types.ts';
import { boolean, hidden, id, moment, text, time, version } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { DUPLICATE_MEMBERSHIP } from './errors.ts';

/** Role of a member in a unit. */
export const RoleName = Type.Enum(['viewer', 'editor', 'admin'], {
  description: '`viewer`: read; `editor`: also write; `admin`: also delete.',
});
/** Status of a membership; an inactive one has no access. */
export const Status = Type.Enum(['active', 'inactive']);

const membershipFields = {
  membership_id: id,
  user_id: id,
  is_tenant_admin: boolean(Type.Boolean(), { filter: true }),
  status: text(Status, { filter: true }),
  last_seen_at: time(nullable(Type.String()), {}),
  version,
  created_at: moment,
  updated_at: moment,
};

const grantFields = {
  id,
  membership_id: id,
  bu_id: id,
  role: text(RoleName, {}),
  created_at: moment,
  version: hidden(version),
};

declare module '../../../db/tables.ts' {
  interface Tables {
    memberships: TableOf<typeof membershipFields>;
    business_unit_grants: TableOf<typeof grantFields>;
  }
}

/** Memberships of a tenant. Their history also shows the user and the grants: see `recordMembership`. */
export const membershipResource = defineResource({
  table: 'memberships',
  key: uuidKey('membership_id'),
  notFound: NOT_FOUND,
  fields: membershipFields,
  duplicates: { memberships_user: DUPLICATE_MEMBERSHIP },
});

/** Roles of members in business units. */
export const grantResource = defineResource({
  entityType: 'business_unit_grant',
  table: 'business_unit_grants',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields: grantFields,
});
