/** The way from an accepted invitation into the console. */
import { AppError } from '../../../errors/app-error.ts';
import { consolePaths } from '../../../http/console-paths.ts';
import type { RequestContext } from '../../../http/context.ts';
import type { RawReply } from '../../../http/route.ts';
import { signInBrowser } from '../sessions/index.ts';
import type { InvitationSubject } from './submission.ts';

/**
 * Leads a user who has accepted to the tenant. One who is not signed in yet is signed in by the password of the form.
 * Returns null if that is impossible: the link alone must not open the user's other tenants.
 */
export async function enterConsole(
  ctx: RequestContext,
  subject: InvitationSubject | null,
  password: string,
): Promise<RawReply | null> {
  const { home } = consolePaths(ctx.platform);
  if (subject?.state !== 'accepted' || home === null) return null;
  try {
    if (subject.account !== 'current') await signInBrowser(ctx, { email: subject.email, password });
  } catch (error) {
    // For example a form of another site. The user has joined and can sign in.
    if (error instanceof AppError) return null;
    throw error;
  }
  const location = `${home}/t/${subject.tenant.code}`;
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
}
