import type { schemas } from '../../../sdk/src/index.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { type MemberStatus, statusOf } from './status.ts';
import { texts } from './texts.ts';

const TONES: Readonly<Record<MemberStatus, Tone>> = {
  active: 'success',
  invited: 'info',
  expired: 'warning',
  inactive: 'neutral',
};

/** The status of a member. */
export function MemberStatusBadge({ member }: { readonly member: schemas.Membership }) {
  const status = statusOf(member);
  return <Badge tone={TONES[status]}>{texts.translate(`status.${status}`)}</Badge>;
}
