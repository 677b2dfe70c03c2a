import { AppError } from '../../../errors/app-error.ts';
import { ruleBroken } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { findTemplateToSend, renderer, renderSource } from '../../email-templates/index.ts';
import { contentOfTemplate } from '../../transmissions/index.ts';
import { CONFIRM_URL } from './confirmation-mail.ts';

/** Stands for the address of the page, and in nothing else. */
const SAMPLE = 'https://confirm.example/0b5e1d7c9a3f';

/**
 * Checks that a template can ask people to confirm: rendered with what such a mail gives it, its HTML leads to the page.
 * Not inside a transaction.
 * @throws AppError VALIDATION_ERROR naming `field`.
 */
export async function requireConfirmationTemplate(
  ctx: MemberContext,
  templateId: string,
  field: string,
): Promise<void> {
  const found = await findTemplateToSend(ctx.db, templateId);
  if (found === null) throw ruleBroken(field, 'There is no template with this id.');
  if (found.version === null) throw ruleBroken(field, 'names a template without an active version');
  const content = await contentOfTemplate(ctx, found.template, found.version).catch((error: unknown) => {
    throw error instanceof AppError ? ruleBroken(field, error.message) : error;
  });
  const address = { name: '', email: 'ada@example.com' };
  const data = { [CONFIRM_URL]: SAMPLE, sender: 'Sender', address };
  const options = { tenantId: ctx.caller.tenantId, inlineCss: false };
  const result = await renderer(ctx.platform).render(renderSource(content), data, options);
  if (!result.ok)
    throw ruleBroken(field, `names a template that cannot be rendered: ${result.error.message}`);
  if (!result.html.includes(SAMPLE))
    throw ruleBroken(field, `names a template whose HTML does not use the variable ${CONFIRM_URL}`);
}
