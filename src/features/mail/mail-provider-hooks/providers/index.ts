import { mailgun } from './mailgun.ts';
import { postmark } from './postmark.ts';
import type { MailProvider } from './provider.ts';
import { sendgrid } from './sendgrid.ts';
import { ses } from './ses.ts';

/** All mail providers, by their names in hook URLs. */
export const PROVIDERS = { ses, mailgun, sendgrid, postmark } as const satisfies Readonly<
  Record<string, MailProvider>
>;
