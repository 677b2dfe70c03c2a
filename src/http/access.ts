/**
 * The callers of a route: `public` needs no credential, `operator` needs the ADMIN_TOKEN. The others need a member's
 * credential: `member` with any membership, `owner` of the tenant, and the rest with that role in at least one business
 * unit. The use case checks roles again on the record's own unit.
 */
export type Access = 'public' | 'operator' | MemberAccess;

/** The members of a tenant who may call. */
export type MemberAccess = 'member' | 'viewer' | 'editor' | 'admin' | 'owner';
