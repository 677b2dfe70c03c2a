/** Dry run of sending an email (docs/specification/campaigns.md#who-receives). */
import type { MemberContext } from '../../../../http/context.ts';
import { requestDeadline } from '../../../../http/request-deadline.ts';
import { findEmail } from '../emails/service.ts';
import { groupsOf } from '../sending/sending-start.ts';
import { type AudienceCounts, countAudience } from './audience-counts.ts';
import { checkEmail } from './email-check.ts';
import type { PreflightEntry } from './problems.ts';

/** Number of recipients, number of exclusions by reason, blocking problems, and warnings. */
export interface Preflight {
  readonly recipients: number;
  readonly excluded: Omit<AudienceCounts, 'recipients'>;
  readonly problems: PreflightEntry[];
  readonly warnings: PreflightEntry[];
}

/** Counts the recipients of an email and renders samples. @throws AppError as `findEmail`, TIMEOUT. */
export async function preflight(ctx: MemberContext, code: string, id: string): Promise<Preflight> {
  const { db, platform, now } = ctx;
  const found = await findEmail(ctx, code, id);
  const { email } = found;
  const deadline = requestDeadline(ctx);
  const { recipients, ...excluded } = await countAudience(
    platform,
    db,
    groupsOf(email),
    email.subscription_type_id,
  );
  const { problems, warnings } = await checkEmail(platform, found, { now, recipients, deadline });
  return { recipients, excluded, problems, warnings };
}
