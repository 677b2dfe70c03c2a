import type { schemas } from '../../../sdk/src/index.ts';
import { useMembership } from '../../session/session-context.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
/** Number of units that are named; the others are counted. */
const SHOWN = 2;

/** A member's rights in one line: "Owner", or the roles in units. */
export function AccessSummary({ member }: { readonly member: schemas.Membership }) {
  const { units } = useMembership();
  if (member.is_tenant_admin) return translate('owner');
  if (member.grants.length === 0) return translate('access.none');
  const roles = member.grants.map(({ bu_id, role }) => {
    const unit = units.find((each) => each.bu_id === bu_id);
    return `${unit?.name ?? bu_id}: ${translate(`role.${role}`)}`;
  });
  const more = roles.length - SHOWN;
  return [...roles.slice(0, SHOWN), ...(more > 0 ? [translate('access.more', { count: more })] : [])].join(
    ', ',
  );
}
