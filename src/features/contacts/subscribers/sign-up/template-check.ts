import { AppError } from '../../../../errors/app-error.ts';
import { ruleBroken } from '../../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../../http/context.ts';
import { contentOfTemplate, findTemplateToSend, renderContent } from '../../../mail/api.ts';
import { CONFIRM_URL } from './confirmation-mail.ts';

/** Sample URL of the confirmation page, unique so that it can be found in the rendered HTML. */
const SAMPLE = 'https://confirm.example/0b5e1d7c9a3f';

/**
 * Checks that a template can be used for confirmation mails: its HTML must link to the confirmation page. Call it
 * outside of transactions, because it renders the template.
 * @throws AppError VALIDATION_ERROR naming `field`.
 */
export async function requireConfirmationTemplate(
  ctx: MemberContext,
  templateId: string,
  field: string,
): Promise<void> {
  const found = await findTemplateToSend(ctx.db, templateId);
  if (found === null) throw ruleBroken(field, 'must reference an existing template');
  if (found.version === null) throw ruleBroken(field, 'must reference a template with an active version');
  const content = await contentOfTemplate(ctx, found.template, found.version).catch((error: unknown) => {
    throw error instanceof AppError ? ruleBroken(field, error.message) : error;
  });
  const address = { name: '', email: 'ada@example.com' };
  const data = { [CONFIRM_URL]: SAMPLE, sender: 'Sender', address };
  const { tenantId } = ctx.caller;
  const [result] = await renderContent(ctx.platform, content, [data], { tenantId });
  if (!result?.ok)
    throw ruleBroken(field, `references a template that cannot be rendered: ${result?.error.message}`);
  if (!result.html.includes(SAMPLE))
    throw ruleBroken(field, `must reference a template whose HTML uses the variable ${CONFIRM_URL}`);
}
