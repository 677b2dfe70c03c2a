/** Branding of a tenant's pages and mail. */
export interface BrandSettings {
  logo_url: string;
  primary_color: string;
  /** Language for recipients without a known language; absent: English. */
  locale?: string;
}

/** `deleting`: the tenant is inaccessible while its rows are being removed. */
export type TenantStatus = 'active' | 'suspended' | 'deleting';

export interface TenantRow {
  tenant_id: string;
  code: string;
  name: string;
  brand_settings: BrandSettings;
  status: TenantStatus;
  created_at: string;
}

export interface UserRow {
  user_id: string;
  email: string;
  name: string;
  /** Null until the person sets a password. */
  password_hash: string | null;
  created_at: string;
}

declare module '../db/tables.ts' {
  interface Tables {
    tenants: TenantRow;
    users: UserRow;
  }
}
