import { missingRole } from '../../forms/missing-role.ts';
import { formTexts } from '../../forms/texts.ts';
import { useMembership } from '../../session/session-context.tsx';

/** Returns why the user may not share a view; undefined if they may. It takes an editor of any business unit. */
export function useSharingReason(): string | undefined {
  const role = missingRole({ access: 'editor' }, useMembership(), undefined);
  return role === null || role === 'owner' ? undefined : formTexts.translate(`role.${role}`);
}
