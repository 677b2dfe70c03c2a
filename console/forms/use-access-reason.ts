import { useMatch } from '@tanstack/react-router';
import { useSession } from '../session/session-context.tsx';
import { shellTexts } from '../shell/texts.ts';
import { missingRole, type Protected } from './missing-role.ts';
import { formTexts } from './texts.ts';

/** Returns why the user may not call an operation in the tenant and unit of the URL; undefined if they may. */
export function useAccessReason(operation: Protected): string | undefined {
  const { memberships } = useSession();
  const match = useMatch({ from: '/t/$tenant', shouldThrow: false });
  const membership = memberships.find(({ tenant_code }) => tenant_code === match?.params.tenant);
  const role = membership === undefined ? null : missingRole(operation, membership, match?.search.unit);
  if (role === null) return undefined;
  if (role === 'owner') return shellTexts.translate('owner-only');
  return formTexts.translate(
    operation.accessUnit === 'default' && role === 'admin' ? 'role.admin.default' : `role.${role}`,
  );
}
