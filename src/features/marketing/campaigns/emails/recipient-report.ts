/** Report about one recipient of an email: events of the messages, or the reason why there is none. */
import Type, { type Static } from 'typebox';
import { AppError } from '../../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../../http/context.ts';
import { normalizeAddress } from '../../../../mail/address.ts';
import { findRecord } from '../../../../resources/records.ts';
import { getRecipientHistory, RecipientHistory } from '../../../mail/api.ts';
import { type AddressMatch, findByAddress } from '../sending/mail-subscribers.ts';
import { groupsOf } from '../sending/sending-start.ts';
import { type EmailRow, sendingJobs } from './resource.ts';
import { findEmail } from './service.ts';

/** Events of an email's messages to one address, or the reason why there are none. */
export const EmailRecipientDetails = Type.Object(
  {
    ...RecipientHistory.properties,
    not_addressed: Type.Optional(
      Type.Enum(['not_sent', 'not_in_groups', 'inactive', 'unsubscribed', 'came_later'], {
        description: 'Why this subscriber got no message.',
      }),
    ),
  },
  { title: 'CampaignEmailRecipient' },
);
type EmailRecipientDetails = Static<typeof EmailRecipientDetails>;

/** Returns the report. @throws AppError as `findEmail`, NOT_FOUND for an unknown address. */
export async function describeRecipient(
  ctx: MemberContext,
  code: string,
  id: string,
  address: string,
): Promise<EmailRecipientDetails> {
  const { email } = await findEmail(ctx, code, id);
  const details = await findMessages(ctx, email, address);
  if (details !== null) return details;
  const recipient = normalizeAddress(address);
  const matches = await findByAddress(ctx.db, recipient, groupsOf(email), email.subscription_type_id);
  if (matches.length === 0) throw new AppError(NOT_FOUND);
  return { recipient, messages: [], not_addressed: exclusionReason(email, matches) };
}

async function findMessages(ctx: MemberContext, email: EmailRow, address: string) {
  if ((await findRecord(ctx.db, sendingJobs, email.job_id)) === null) return null;
  return getRecipientHistory(ctx, email.job_id, address).catch((error: unknown) => {
    if (error instanceof AppError && error.code === NOT_FOUND.code) return null;
    throw error;
  });
}

function exclusionReason(
  email: EmailRow,
  matches: readonly AddressMatch[],
): EmailRecipientDetails['not_addressed'] {
  const groupMembers = matches.filter(({ is_member }) => is_member);
  if (groupMembers.length === 0) return 'not_in_groups';
  const active = groupMembers.filter((member) => member.active);
  if (active.length === 0) return 'inactive';
  if (active.every(({ is_unsubscribed }) => is_unsubscribed)) return 'unsubscribed';
  return email.status === 'Sending' || email.status === 'Sent' ? 'came_later' : 'not_sent';
}
