import type { schemas } from '../../../sdk/src/index.ts';
import { formatDate, formatRelatively } from '../../texts/formats.ts';
import { DateText } from '../../ui/date-text.tsx';
import type { Description } from '../../ui/description-list.tsx';
import { useNow } from '../../ui/now.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './invitation-times.module.css';
import { MemberStatusBadge } from './status-badge.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** The status of a member in a list, with the times of an open invitation. */
export function MemberStatus({ member }: { readonly member: schemas.Membership }) {
  const now = useNow();
  const { invitation } = member;
  if (invitation === undefined) return <MemberStatusBadge member={member} />;
  const expiry = new Date(invitation.expires_at);
  const values = {
    sent: formatRelatively(new Date(invitation.sent_at), now),
    until: formatDate(expiry, 'date'),
  };
  return (
    <span className={classes.status}>
      <MemberStatusBadge member={member} />
      <span className={classes.times}>
        {translate(expiry.getTime() > now ? 'invitation.open' : 'invitation.past', values)}
      </span>
    </span>
  );
}

/** Returns when the open invitation of a member was sent and ends; nothing for others. */
export function invitationFacts({ invitation }: schemas.Membership): readonly Description[] {
  if (invitation === undefined) return [];
  return [
    { term: translate('invitation.sent'), value: <RelativeTime value={invitation.sent_at} /> },
    { term: translate('invitation.until'), value: <DateText value={invitation.expires_at} /> },
  ];
}
