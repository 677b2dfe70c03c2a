import { sql } from 'kysely';
import type { BrandSettings } from '../../../tenancy/brand-settings.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** The recipient and sender of a message. */
export interface MessageParties {
  readonly address: string;
  /** Normalized address. */
  readonly recipient: string;
  readonly has_unsubscribed: boolean;
  readonly tenant: string;
  readonly brand_settings: BrandSettings;
  readonly from_address: string | null;
  readonly from_name: string | null;
}

/** Returns the recipient and sender of a message; undefined if the message was deleted. */
export async function findParties(db: ScopedDb, messageId: string): Promise<MessageParties | undefined> {
  const { rows } = await db.raw(
    (tenant) => sql<MessageParties>`
    select m.address, m.recipient, m.unsubscribed_at is not null as has_unsubscribed, t.name as tenant, t.brand_settings,
      x.content -> 'from' ->> 'address' as from_address, x.content -> 'from' ->> 'name' as from_name
    from email_messages m
    join tenants t on t.tenant_id = m.tenant_id
    join transmissions x on x.tenant_id = m.tenant_id and x.id = m.transmission_id
    where m.tenant_id = ${tenant} and m.id = ${messageId}`,
  );
  return rows[0];
}
