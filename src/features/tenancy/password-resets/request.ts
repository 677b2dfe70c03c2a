/** Requests for a reset link by mail. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RequestContext } from '../../../http/context.ts';
import { windowCounter } from '../../../http/rate-limits.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { findUserByEmail, listActiveMemberships } from '../memberships/index.ts';
import type { Success } from '../sessions/index.ts';
import { sendResetMail } from './jobs.ts';

const MAILS_PER_HOUR = 3;
const WINDOW_SECONDS = 60 * 60;

/**
 * Enqueues a mail with a reset link to the user with this address. The response does not wait for work that depends on
 * the address, so neither its body nor its timing reveals if the user exists.
 */
export async function requestReset(
  { platform, now }: RequestContext,
  { email }: { readonly email: string },
): Promise<Success> {
  inBackground(platform)(() => enqueueMail(platform, email, now));
  return { success: true };
}

/** Runs work in the background; a stopping process waits for it. */
const inBackground = oncePerPlatform((platform) => {
  const running = new Set<Promise<void>>();
  platform.onClose(async () => {
    await Promise.all(running);
  });
  return (work: () => Promise<void>): void => {
    const run: Promise<void> = work()
      .catch((error) =>
        platform.observe({ event: 'background.failed', task: 'enqueue a password reset', error }),
      )
      .finally(() => running.delete(run));
    running.add(run);
  };
});

const counterOf = oncePerPlatform((platform) => windowCounter(platform, 'password-resets', WINDOW_SECONDS));

/**
 * Enqueues the mail. A user without an active membership of an active tenant gets none, because sign-in is impossible.
 */
async function enqueueMail(platform: Platform, email: string, now: Date): Promise<void> {
  // Wait until the response has been sent.
  await nextTurn();
  const all = platform.database.everyTenant('sign-in');
  const user = await findUserByEmail(all, email);
  if (user === undefined) return;
  const memberships = await listActiveMemberships(all, user.user_id);
  const membership = memberships.find(({ isSuspended }) => !isSuspended);
  if (membership === undefined) return;
  const { count } = await counterOf(platform).add(user.user_id);
  if (count > MAILS_PER_HOUR) return;
  const db = platform.scoped(wholeTenant(membership.tenant_id));
  const payload = { tenant_id: db.tenantId, user_id: user.user_id, asked_at: now.toISOString() };
  await platform.jobs.enqueue(db, sendResetMail, payload);
}
