import type { schemas } from '../../../sdk/src/index.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { texts } from './texts.ts';

/** Time of a member's last request in the tenant. */
export function LastSeen({ member: { last_seen_at } }: { readonly member: schemas.Membership }) {
  return last_seen_at === null ? texts.translate('never') : <RelativeTime value={last_seen_at} />;
}
