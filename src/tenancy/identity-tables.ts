/** How a tenant presents itself to the people it writes to. */
export interface BrandSettings {
  logo_url: string;
  primary_color: string;
  /** The language of pages and mail for recipients whose own is not known; absent: English. */
  locale?: string;
}

/** `deleting`: gone for everybody; its rows are being removed. */
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
  /** Null: the person has not set a password yet. */
  password_hash: string | null;
  created_at: string;
}

declare module '../db/tables.ts' {
  interface Tables {
    tenants: TenantRow;
    users: UserRow;
  }
}
