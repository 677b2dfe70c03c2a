import { type ParsedMail, simpleParser } from 'mailparser';
import type { Platform } from '../../src/platform.ts';
import type { Client } from './client.ts';
import { eventually } from './poll.ts';
import type { Relay } from './relay.ts';
import { createTenant, type TestApp, type TestTenant } from './test-app.ts';

/** A tenant with a verified sending domain. */
export interface MailTenant extends TestTenant {
  /** Verified, with a DKIM key; also receives bounces. */
  readonly domain: string;
}

/** Creates a tenant with a domain that the operator vouches for. */
export function createMailTenant({ url, admin }: Pick<TestApp, 'url' | 'admin'>): Promise<MailTenant> {
  return createMailTenantAt(url, admin);
}

/** Like `createMailTenant`, at the process at `url`. */
export async function createMailTenantAt(url: string, admin: Client): Promise<MailTenant> {
  const tenant = await createTenant(url, admin);
  const domain = `${tenant.code}.example`;
  await admin.post(`/admin/tenants/${tenant.code}/sending-domains`, { domain, verified: true });
  return { ...tenant, domain };
}

/** Returns the body of a transmission with inline content; `more` overrides fields. */
export function transmissionBody({ domain }: Pick<MailTenant, 'domain'>, more: object = {}): object {
  return {
    options: { transactional: true },
    recipients: [{ address: 'ada@example.com' }],
    content: { from: `Shop <shop@${domain}>`, subject: 'Hello', html: '<p>Hello</p>' },
    ...more,
  };
}

/** Sends a transmission and waits until it has ended; returns it as GET returns it. */
export async function sendAndWait(tenant: MailTenant, more: object = {}): Promise<EndedTransmission> {
  const { body } = await tenant.api.post('/api/transmissions', transmissionBody(tenant, more));
  return waitUntilEnded(tenant, body.transactionId);
}

/** A transmission that has ended. */
export interface EndedTransmission {
  readonly id: string;
  readonly state: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Waits until no message of a transmission is pending. */
export function waitUntilEnded({ api }: Pick<MailTenant, 'api'>, id: string, withinMs = 30_000) {
  return eventually(
    'the transmission to end',
    async (): Promise<EndedTransmission | null> => {
      const { body } = await api.get(`/api/transmissions/${id}`);
      return ['completed', 'failed', 'cancelled'].includes(body.state) ? body : null;
    },
    withinMs,
  );
}

/** History of one message of a transmission. */
export interface MessageHistory {
  readonly status: string;
  readonly error: string | null;
  readonly attempts: number;
  readonly message_id: string;
  readonly next_attempt_at: string | null;
  readonly steps: readonly { step: string; at: string | null; detail: string | null; line?: number }[];
}

/** Reads the history of the first message of a transmission to an address. */
export async function readRecipientHistory(
  api: Client,
  id: string,
  address: string,
): Promise<MessageHistory> {
  return (await api.get(`/api/transmissions/${id}/recipients/${address}`)).body.messages[0];
}

/** Returns the names of the steps, in order. */
export function stepsOf({ steps }: MessageHistory): string {
  return steps.map(({ step }) => step).join(' ');
}

/** Makes a message that waits for its next attempt due. */
export async function makeMessageDue({ database }: Platform, messageId: string): Promise<void> {
  const due = { due_at: new Date() };
  await database
    .everyTenant('tests')
    .query.updateTable('email_messages')
    .set(due)
    .where('id', '=', messageId)
    .execute();
}

/** Returns the parsed messages that a relay accepted for a recipient. */
export function mailsTo(relay: Relay, address: string): Promise<ParsedMail[]> {
  const found = relay.messages.filter(({ rcptTo }) => rcptTo.includes(address));
  return Promise.all(found.map(({ raw }) => simpleParser(raw)));
}
