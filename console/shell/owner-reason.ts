import type { SessionMembership } from '../session/session.ts';
import { shellTexts } from './texts.ts';

/** Returns why a member may not use a control of owners; undefined for owners, who may. */
export function ownerReason({ is_tenant_admin }: SessionMembership): string | undefined {
  return is_tenant_admin ? undefined : shellTexts.translate('owner-only');
}
