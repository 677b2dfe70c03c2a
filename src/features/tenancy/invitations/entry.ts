/** The way from an accepted invitation into the console. */
import { AppError } from '../../../errors/app-error.ts';
import { consolePaths } from '../../../http/console-paths.ts';
import type { RequestContext } from '../../../http/context.ts';
import type { RawReply } from '../../../http/route.ts';
import { signInBrowser } from '../sessions/index.ts';
import type { InvitationSubject } from './submission.ts';

/**
 * Signs in a user who has just set a password, and leads to the tenant. Returns null for other users, who sign in
 * themselves: the link of one tenant must not open their other tenants.
 */
export async function enterConsole(
  ctx: RequestContext,
  subject: InvitationSubject | null,
  password: string,
): Promise<RawReply | null> {
  const { home } = consolePaths(ctx.platform);
  if (subject?.state !== 'accepted' || !subject.needsPassword || home === null) return null;
  try {
    await signInBrowser(ctx, { email: subject.email, password });
  } catch (error) {
    // For example a form of another site. The user has joined and can sign in.
    if (error instanceof AppError) return null;
    throw error;
  }
  const location = `${home}/t/${subject.tenant.code}`;
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
}
