import type { Feature } from '../../feature.ts';
import { DUPLICATE_MEMBERSHIP, LAST_TENANT_ADMIN } from './errors.ts';
import { examples } from './examples.ts';
import { sendInvitationMail } from './invitations/jobs.ts';
import { listNames } from './queries.ts';
import { memberSearch } from './record-search.ts';
import { routes } from './routes.ts';
import { deleteUnusedUser } from './unused-users.ts';

export { findInvitationBy } from './invitations/queries.ts';
export { readToken } from './invitations/token.ts';
export { findActiveMember, findMembership, namesOfMembers } from './queries.ts';
export { membershipResource } from './resource.ts';
export { Email, NewPassword, nameFault, Password, passwordFault, UserName } from './schema.ts';
export { acceptMembership, addMember } from './service.ts';
export { deleteUnusedUsers } from './unused-users.ts';
export {
  type ActiveMembership,
  findUserByEmail,
  findUserById,
  getPasswordHash,
  getProfile,
  hasPasswordHash,
  listActiveMemberships,
  listAllMemberships,
  type PreparedUser,
  type Profile,
  prepareUser,
  setPasswordHash,
  setProfile,
  setUserName,
  type User,
  userExists,
} from './users.ts';

/** Memberships of users in a tenant and their grants in its business units. */
export const memberships: Feature = {
  name: 'memberships',
  examples,
  tags: { Memberships: 'Users of a tenant and their roles per unit. Owners only.' },
  routes,
  searches: [memberSearch],
  jobs: [sendInvitationMail, deleteUnusedUser],
  overview: {
    setup: [{ name: 'members', isDone: async ({ db }) => (await listNames(db, null, 2)).length > 1 }],
  },
  errors: [DUPLICATE_MEMBERSHIP, LAST_TENANT_ADMIN],
};
