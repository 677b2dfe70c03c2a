import { type RecordSearch, shortened } from '../../../resources/record-search.ts';
import { findMembers } from './queries.ts';

const entityType = 'tenant_membership';

/**
 * Finds members by id and address, for owners only, like the list. They are not found by name: users belong to no
 * tenant, so no index has the names of a tenant's members.
 */
export const memberSearch: RecordSearch = {
  entityType,
  isVisible: ({ isTenantAdmin }) => isTenantAdmin,
  findExact: async ({ db }, text) =>
    (await findMembers(db, text)).map(({ membership_id, name, email }) => ({
      entityType,
      key: membership_id,
      title: shortened(name),
      subtitle: shortened(email),
      ownerBuId: null,
    })),
  findNamed: async () => [],
};
