/** The signed-in user and their tenants, as `GET /auth/session` returns them and the server embeds them in the page. */

/** Role of a member in a business unit. */
export type UnitRole = 'viewer' | 'editor' | 'admin';

/** A business unit that a member can work in. */
export interface SessionUnit {
  readonly bu_id: string;
  readonly name: string;
  readonly slug: string;
  readonly is_default: boolean;
  readonly role: UnitRole;
}

/** Membership of the user in a tenant. */
export interface SessionMembership {
  readonly tenant_id: string;
  readonly tenant_code: string;
  readonly tenant_name: string;
  readonly membership_id: string;
  /** True for an owner of the tenant, who may do everything. */
  readonly is_tenant_admin: boolean;
  readonly default_business_unit_id: string;
  readonly units: readonly SessionUnit[];
}

/** The user of the session. */
export interface SessionUser {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
  readonly locale: string | null;
  readonly time_zone: string | null;
  readonly preferences: Readonly<Record<string, unknown>>;
}

/** A browser session. */
export interface Session {
  readonly user: SessionUser;
  readonly memberships: readonly SessionMembership[];
  readonly csrf_token: string;
  /** Until then the password need not be confirmed again; null if it was not confirmed. */
  readonly confirmed_until: string | null;
  readonly expires_at: string;
}
