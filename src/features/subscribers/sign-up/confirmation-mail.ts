/** The mail that asks somebody to confirm a subscription (docs/specification/subscribers.md#from-forms). */
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { html } from '../../../http/html.ts';
import type { Platform } from '../../../platform.ts';
import { getTenant } from '../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { type DefaultSender, findDefaultSender, findVerifiedDomain } from '../../email-settings/index.ts';
import { findTemplateToSend } from '../../email-templates/index.ts';
import { contentOfTemplate, type OwnMail, type StoredContent } from '../../transmissions/index.ts';

/** What templates call the address of the page. */
export const CONFIRM_URL = 'confirm_url';

/** What is the same for everybody whom a form asks. */
export interface ConfirmationMail {
  readonly content: StoredContent;
  /** Who asks. */
  readonly senderName: string;
}

const TEXT = `Hello,

your address was entered in a form of {{sender}}. Please confirm that you want to get messages from us:

{{confirm_url}}

The link is good for seven days. If you did not ask for this, ignore this message: you will get nothing.

{{sender}}
`;

/** Nothing of what a visitor typed stands in it, or the form would send anybody's words to anybody. */
const HTML = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Please confirm your subscription</title></head>
<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1b1b1f">
<p>Hello,</p>
<p>your address was entered in a form of <strong>{{sender}}</strong>. Please confirm that you want to get messages from us:</p>
<p><a href="{{confirm_url}}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#1c1917;color:#ffffff;font-weight:600;text-decoration:none">Confirm</a></p>
<p style="color:#5a5a66;font-size:14px">The link is good for seven days. If you did not ask for this, ignore this message: you will get nothing.</p>
<p>{{sender}}</p>
</body>
</html>
`.toString();

/** The name of whoever sends to a tenant's subscribers, on one line: that of its default sender, else its own. */
export async function senderNameOf(db: ScopedDb, sender: DefaultSender | null): Promise<string> {
  const name = sender?.from.name ?? (await getTenant(db)).name;
  return name.replaceAll(/\s+/g, ' ').trim();
}

/**
 * What a form sends to whoever is to confirm: its template, as far as that can still be sent and leads to the page, else
 * our own text. Null when the tenant has no default sender. Not inside a transaction.
 */
export async function prepareConfirmationMail(
  platform: Platform,
  tenantId: string,
  templateId: string | null,
): Promise<ConfirmationMail | null> {
  const db = platform.scoped(wholeTenant(tenantId));
  const sender = await findDefaultSender(db);
  if (sender === null) return null;
  const senderName = await senderNameOf(db, sender);
  const ofTemplate = templateId === null ? null : await readTemplate(platform, db, templateId);
  const builtIn = {
    ...{ subject: 'Please confirm your subscription to {{sender}}', html: HTML, text: TEXT },
    ...{ ...sender, generateText: false, snippets: {}, attachments: [] },
  };
  if (ofTemplate === null) return { content: builtIn, senderName };
  const isVerified = (await findVerifiedDomain(db, ofTemplate.from.address)) !== null;
  return { content: isVerified ? ofTemplate : { ...ofTemplate, ...sender }, senderName };
}

/** The mail to somebody. */
export function confirmationMailTo(
  { content, senderName }: ConfirmationMail,
  person: { readonly email: string; readonly owner_bu_id: string },
  url: string,
): OwnMail {
  return {
    ...content,
    id: uuidv7(),
    ownerBuId: person.owner_bu_id,
    description: 'Confirmation of a subscription',
    to: [person.email],
    data: { [CONFIRM_URL]: url, sender: senderName },
  };
}

/** Null when the template is gone, has no active version, has too long snippets, or no longer leads to the page. */
async function readTemplate(
  platform: Platform,
  db: ScopedDb,
  templateId: string,
): Promise<StoredContent | null> {
  const found = await findTemplateToSend(db, templateId);
  if (!found?.version) return null;
  const content = await contentOfTemplate({ platform, db }, found.template, found.version).catch(
    (error: unknown) => {
      if (error instanceof AppError) return null;
      throw error;
    },
  );
  const texts = content === null ? [] : [content.html, ...Object.values(content.snippets)];
  return texts.some((text) => text.includes(CONFIRM_URL)) ? content : null;
}
