import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { signatureHeaders } from '../../../outbound/webhook-signature.ts';
import { sendTest, type TestReply } from '../../../outbound/webhook-test.ts';
import { requireDefaultAdmin } from '../../../resources/ownership.ts';
import { redactSecrets } from '../../../secrets/redact.ts';
import { openedOrNull, SECRET_KEY_CHANGED } from '../../../secrets/secret-box.ts';
import { findEventWebhook, openEventWebhookSecret } from '../../email-settings/api.ts';
import { toEventBody } from './event-body.ts';

/** Sends a sample event to an event webhook once, signed like a delivery. @throws AppError FORBIDDEN or NOT_FOUND. */
export async function testEventWebhook(ctx: MemberContext, name: string): Promise<TestReply> {
  requireDefaultAdmin(ctx.caller);
  const { platform, db, now } = ctx;
  const webhook = await findEventWebhook(db, name);
  if (webhook === undefined) throw new AppError(NOT_FOUND);
  const id = uuidv7();
  const body = JSON.stringify(sampleEvent(id, webhook.events[0] ?? 'delivery', now));
  const headers = openedOrNull(() =>
    signatureHeaders(openEventWebhookSecret(platform.secrets, webhook), { id, at: now, body }),
  );
  if (headers === null) return { success: false, error: SECRET_KEY_CHANGED, duration_ms: 0 };
  const secrets = Object.values(headers);
  return sendTest(ctx, {
    url: webhook.target,
    headers,
    body,
    redact: (text) => redactSecrets(text, secrets),
  });
}

/** Returns an event of a message that does not exist; `metadata.test` marks it. */
function sampleEvent(id: string, type: string, now: Date) {
  return toEventBody({
    event_id: id,
    type,
    occurred_at: now.toISOString(),
    address: 'ada@example.com',
    message_id: uuidv7(),
    transmission_id: uuidv7(),
    campaign_id: null,
    marketing_email_id: null,
    tags: [],
    metadata: { test: true },
    transmission_metadata: null,
    ip_address: null,
    user_agent: null,
    url: type === 'click' ? 'https://example.com/' : null,
    machine_reason: null,
    bounce_class: type === 'bounce' ? 'hard' : null,
    detail: null,
  });
}
