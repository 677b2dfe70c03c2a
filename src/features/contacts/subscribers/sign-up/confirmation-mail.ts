/** The mail with the link that confirms a subscription (docs/specification/subscribers.md#from-forms). */

import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../../errors/app-error.ts';
import { type Brand, brandOf } from '../../../../http/brand.ts';
import { html } from '../../../../http/html.ts';
import {
  fill,
  fillHtml,
  type RecipientLanguage,
  recipientLanguage,
} from '../../../../http/recipient-texts/recipient-language.ts';
import type { Platform } from '../../../../platform.ts';
import { getTenant } from '../../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import {
  type DefaultSender,
  findDefaultSender,
  getEmailSettings,
  isVerifiedSender,
} from '../../../email-settings/api.ts';
import {
  contentOfTemplate,
  findTemplateToSend,
  type PlatformMail,
  type StoredContent,
} from '../../../mail/api.ts';

/** Template variable with the URL of the confirmation page. */
export const CONFIRM_URL = 'confirm_url';

/** Parts of the mail that are the same for all recipients of a form. */
export interface ConfirmationMail {
  readonly content: StoredContent;
  /** Name of the sender. */
  readonly senderName: string;
}

/** Placeholder for the sender's name; the template data of each mail contain the name. */
const SENDER = { sender: '{{sender}}' };

function textOf({ texts }: RecipientLanguage): string {
  return `${texts.mailHello}

${fill(texts.mailText, SENDER)}

{{confirm_url}}

${texts.mailIgnore}

{{sender}}
`;
}

/** Builds the HTML. It contains no visitor input; otherwise, visitors could send any text to any address. */
function htmlOf({ tag, direction, texts }: RecipientLanguage, { logo, colors }: Brand): string {
  const { fill: background, onFill: text } = colors ?? { fill: '#1c1917', onFill: '#ffffff' };
  const logoHtml =
    logo &&
    // A brace in the URL would start a template expression.
    html`<p><img src="${logo.href.replaceAll('{', '%7B')}" alt="{{sender}}" height="48" style="max-height:48px"></p>\n`;
  return html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head><meta charset="utf-8"><title>${fill(texts.mailSubject, SENDER)}</title></head>
<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1b1b1f">
${logoHtml}<p>${texts.mailHello}</p>
<p>${fillHtml(texts.mailText, { sender: html`<strong>{{sender}}</strong>` })}</p>
<p><a href="{{confirm_url}}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${background};color:${text};font-weight:600;text-decoration:none">${texts.confirm}</a></p>
<p style="color:#5a5a66;font-size:14px">${texts.mailIgnore}</p>
<p>{{sender}}</p>
</body>
</html>
`.toString();
}

/** Returns the sender name of a tenant on one line: that of its default sender, else the tenant's name. */
export async function senderNameOf(db: ScopedDb, sender: DefaultSender | null): Promise<string> {
  const name = sender?.from.name ?? (await getTenant(db)).name;
  return name.replaceAll(/\s+/g, ' ').trim();
}

/**
 * Prepares the confirmation mail of a form: its template if that can be sent and links to the confirmation page, else
 * the built-in text. Returns null if the tenant has no default sender. Call it outside of transactions.
 */
export async function prepareConfirmationMail(
  platform: Platform,
  tenantId: string,
  templateId: string | null,
  acceptLanguage: string | undefined,
): Promise<ConfirmationMail | null> {
  const db = platform.scoped(wholeTenant(tenantId));
  const sender = await findDefaultSender(db);
  if (sender === null) return null;
  const senderName = await senderNameOf(db, sender);
  const templateContent = templateId === null ? null : await readTemplate(platform, db, templateId);
  const tenant = await getTenant(db);
  const language = recipientLanguage(acceptLanguage, tenant.brand_settings.locale);
  const builtIn = {
    ...sender,
    subject: fill(language.texts.mailSubject, SENDER),
    html: htmlOf(language, brandOf(tenant)),
    text: textOf(language),
    generateText: false,
    snippets: {},
    attachments: [],
  };
  if (templateContent === null) return { content: builtIn, senderName };
  const isVerified = isVerifiedSender(await getEmailSettings(db), templateContent.from.address);
  return { content: isVerified ? templateContent : { ...templateContent, ...sender }, senderName };
}

/** Builds the mail to one subscriber. */
export function confirmationMailTo(
  { content, senderName }: ConfirmationMail,
  subscriber: { readonly email: string; readonly owner_bu_id: string },
  url: string,
): PlatformMail {
  return {
    ...content,
    id: uuidv7(),
    ownerBuId: subscriber.owner_bu_id,
    description: 'Confirmation of a subscription',
    to: [subscriber.email],
    data: { [CONFIRM_URL]: url, sender: senderName },
  };
}

/**
 * Reads a template; null if it is missing, inactive, cannot be assembled, or does not link to the confirmation page.
 */
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
