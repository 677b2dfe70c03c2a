import { useMatch } from '@tanstack/react-router';
import { useSession } from '../session/session-context.tsx';
import { shellTexts } from '../shell/texts.ts';
import { missingRole } from './missing-role.ts';
import type { Access } from './operation.ts';
import { formTexts } from './texts.ts';

/** Returns why the user may not call an operation in the tenant and unit of the URL; undefined if they may. */
export function useAccessReason(access: Access): string | undefined {
  const { memberships } = useSession();
  const match = useMatch({ from: '/t/$tenant', shouldThrow: false });
  const membership = memberships.find(({ tenant_code }) => tenant_code === match?.params.tenant);
  const role = membership === undefined ? null : missingRole(access, membership, match?.search.unit);
  if (role === null) return undefined;
  return role === 'owner' ? shellTexts.translate('owner-only') : formTexts.translate(`role.${role}`);
}
