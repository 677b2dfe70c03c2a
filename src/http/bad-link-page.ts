import type { RequestContext } from './context.ts';
import { html } from './html.ts';
import { cardHeaders, messagePage, pageReply } from './page.ts';
import { recipientLanguage } from './recipient-texts/recipient-language.ts';
import type { RawReply } from './route.ts';
import { findTenantBrand } from './tenant-brand.ts';

/** Name of the text that explains an invalid link. */
type BadLinkText =
  | 'badClickLink'
  | 'badUnsubscribeLink'
  | 'badViewLink'
  | 'badPreferencesLink'
  | 'badConfirmLink';

/**
 * Answers with the page for a link of a message that is invalid or expired, or whose recipient is gone. It has the
 * brand of `tenantId`, which is null if the link was altered.
 */
export async function badLinkReply(
  { platform, headers }: RequestContext,
  textName: BadLinkText,
  tenantId: string | null,
): Promise<RawReply> {
  const { brand, locale } = (await findTenantBrand(platform, tenantId)) ?? {};
  const language = recipientLanguage(headers['accept-language'], locale);
  const { badLink, [textName]: text } = language.texts;
  const content = html`<h1>${badLink}</h1>
<p>${text}</p>`;
  return pageReply(
    messagePage(badLink, content, { language, ...(brand ? { brand } : {}) }),
    cardHeaders(brand),
    404,
  );
}
