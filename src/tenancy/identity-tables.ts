import type { ColumnType } from 'kysely';
import type { BrandSettings } from './brand-settings.ts';

/** `deleting`: the tenant is inaccessible while its rows are being removed. */
export type TenantStatus = 'active' | 'suspended' | 'deleting';

/** A row of `tenants`. */
export interface TenantRow {
  tenant_id: string;
  code: string;
  name: string;
  brand_settings: BrandSettings;
  status: TenantStatus;
  /** IANA name. */
  time_zone: string;
  /** Hours without a call after which a browser session ends. */
  session_hours: number;
  version: number;
  created_at: string;
}

/** A JSON object. */
export type Preferences = Readonly<Record<string, unknown>>;

/** A row of `users`. */
export interface UserRow {
  user_id: string;
  email: string;
  name: string;
  /** Null until the user sets a password. */
  password_hash: string | null;
  created_at: string;
  /** Language tag; null: the user has chosen none. */
  locale: string | null;
  /** IANA name; null: the user has chosen none. */
  time_zone: string | null;
  /** Settings of the console, which only the console reads. */
  preferences: ColumnType<Preferences, string | undefined, string>;
}

declare module '../db/tables.ts' {
  interface Tables {
    tenants: TenantRow;
    users: UserRow;
  }
}
