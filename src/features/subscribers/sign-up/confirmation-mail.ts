/** The mail that asks somebody to confirm a subscription (docs/specification/subscribers.md#from-forms). */
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { type Brand, brandOf } from '../../../http/brand.ts';
import { html } from '../../../http/html.ts';
import {
  fill,
  fillHtml,
  type RecipientLanguage,
  recipientLanguage,
} from '../../../http/recipient-texts/recipient-language.ts';
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

/** Stands for the sender's name, which the mail's data have. */
const SENDER = { sender: '{{sender}}' };

function textOf({ texts }: RecipientLanguage): string {
  return `${texts.mailHello}

${fill(texts.mailText, SENDER)}

{{confirm_url}}

${texts.mailIgnore}

{{sender}}
`;
}

/** Nothing of what a visitor typed stands in it, or the form would send anybody's words to anybody. */
function htmlOf({ tag, direction, texts }: RecipientLanguage, { logo, colors }: Brand): string {
  const { fill: ground, onFill: text } = colors ?? { fill: '#1c1917', onFill: '#ffffff' };
  const picture =
    logo &&
    html`<p><img src="${logo.href.replaceAll('{', '%7B')}" alt="{{sender}}" height="48" style="max-height:48px"></p>\n`;
  return html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head><meta charset="utf-8"><title>${fill(texts.mailSubject, SENDER)}</title></head>
<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1b1b1f">
${picture}<p>${texts.mailHello}</p>
<p>${fillHtml(texts.mailText, { sender: html`<strong>{{sender}}</strong>` })}</p>
<p><a href="{{confirm_url}}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${ground};color:${text};font-weight:600;text-decoration:none">${texts.confirm}</a></p>
<p style="color:#5a5a66;font-size:14px">${texts.mailIgnore}</p>
<p>{{sender}}</p>
</body>
</html>
`.toString();
}

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
  acceptLanguage: string | undefined,
): Promise<ConfirmationMail | null> {
  const db = platform.scoped(wholeTenant(tenantId));
  const sender = await findDefaultSender(db);
  if (sender === null) return null;
  const senderName = await senderNameOf(db, sender);
  const ofTemplate = templateId === null ? null : await readTemplate(platform, db, templateId);
  const tenant = await getTenant(db);
  const language = recipientLanguage(acceptLanguage, tenant.brand_settings.locale);
  const builtIn = {
    ...{ subject: fill(language.texts.mailSubject, SENDER), html: htmlOf(language, brandOf(tenant)) },
    text: textOf(language),
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
