import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { normalizeAddress } from '../../src/mail/address.ts';
import type { Platform } from '../../src/platform.ts';
import type { TestApp, TestTenant } from './test-app.ts';

/** A sent message that was written to the database directly. */
export interface SentMessage {
  readonly tenantId: string;
  readonly messageId: string;
  readonly transmissionId: string;
  readonly address: string;
}

/** Fields of a sent message; all are optional. */
export interface SentMessageFacts {
  readonly address?: string;
  readonly campaignId?: string;
  readonly tags?: readonly string[];
  readonly metadata?: object;
  readonly transmissionMetadata?: object;
}

/** Writes a transmission with one message that has been sent. */
export async function createSentMessage(
  { app }: Pick<TestApp, 'app'>,
  { tenantId, defaultUnitId }: Pick<TestTenant, 'tenantId' | 'defaultUnitId'>,
  facts: SentMessageFacts = {},
): Promise<SentMessage> {
  const { address = `r${randomUUID().slice(0, 8)}@example.com`, campaignId = null, tags = null } = facts;
  const [messageId, transmissionId, now] = [uuidv7(), uuidv7(), new Date()];
  const text = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
  const everyTenant = app.platform.database.everyTenant('tests').query;
  await sql`insert into transmissions (tenant_id, id, owner_bu_id, created_at, campaign_id, transactional, content,
      options, metadata, recipients)
    values (${tenantId}, ${transmissionId}, ${defaultUnitId}, ${now}, ${campaignId}, false, '{}', '{}',
      ${text(facts.transmissionMetadata)}, 1)`.execute(everyTenant);
  await sql`insert into email_messages (tenant_id, id, target_id, lane, state, due_at, attempts, transmission_id,
      position, created_at, recipient, address, tags, metadata, status, sent_at)
    values (${tenantId}, ${messageId}, ${randomUUID()}, 1, 'success', ${now}, 1, ${transmissionId}, 0, ${now},
      ${normalizeAddress(address)}, ${address}, ${tags === null ? null : JSON.stringify(tags)},
      ${text(facts.metadata)}, 'sent', ${now})`.execute(everyTenant);
  return { tenantId, messageId, transmissionId, address };
}

/** Returns the row of a message. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert on arbitrary columns.
export async function readMessageRow(platform: Platform, message: SentMessage): Promise<any> {
  const { rows } = await sql`select * from email_messages where id = ${message.messageId}`.execute(
    platform.database.everyTenant('tests').query,
  );
  return rows[0];
}
