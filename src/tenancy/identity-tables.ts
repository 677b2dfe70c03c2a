import type { Role } from './caller.ts';

/** How a tenant presents itself to the people it writes to. */
export interface BrandSettings {
  logo_url: string;
  primary_color: string;
}

export interface TenantRow {
  tenant_id: string;
  code: string;
  name: string;
  brand_settings: BrandSettings;
  created_at: string;
}

export interface UserRow {
  user_id: string;
  email: string;
  name: string;
  password_hash: string;
  created_at: string;
}

export interface BusinessUnitRow {
  tenant_id: string;
  bu_id: string;
  name: string;
  slug: string;
  is_default: boolean;
  archived_at: string | null;
  version: number;
  created_at: string;
  updated_at: string | null;
}

export interface MembershipRow {
  tenant_id: string;
  membership_id: string;
  user_id: string;
  is_tenant_admin: boolean;
  status: 'active' | 'inactive';
  version: number;
  created_at: string;
  updated_at: string | null;
}

export interface GrantRow {
  tenant_id: string;
  id: string;
  membership_id: string;
  bu_id: string;
  role: Role;
  version: number;
  created_at: string;
}

export interface ApiKeyRow {
  tenant_id: string;
  id: string;
  membership_id: string;
  name: string;
  prefix: string;
  digest: Buffer;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

declare module '../db/tables.ts' {
  interface Tables {
    tenants: TenantRow;
    users: UserRow;
    business_units: BusinessUnitRow;
    memberships: MembershipRow;
    business_unit_grants: GrantRow;
    api_keys: ApiKeyRow;
  }
}
