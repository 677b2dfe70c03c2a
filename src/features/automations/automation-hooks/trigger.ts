import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../errors/app-error.ts';
import type {
  AutomationTrigger,
  TriggerChange,
  TriggerContext,
  TriggerOwner,
} from '../../../flows/automation-trigger.ts';
import { signHookToken } from '../../../http/hook-surface.ts';
import { getTenant } from '../../../tenancy/find-tenant.ts';
import { addressOf, encodePath } from './address.ts';
import { DUPLICATE_HOOK } from './errors.ts';
import { deleteHook, insertHook } from './queries.ts';

/** Automations triggered by HTTP calls. An inactive one keeps its address, so that it can be activated again. */
export const hookTrigger: AutomationTrigger = { type: 'webhook', onChange: updateHook, urlOf };

/** Stores the changed address of an automation. @throws AppError DUPLICATE_HOOK. */
async function updateHook({ db }: TriggerContext, { before, after }: TriggerChange): Promise<void> {
  if (before && after && isDeepStrictEqual(addressOf(before), addressOf(after))) return;
  if (before) await deleteHook(db, before.id);
  if (after && !(await insertHook(db, after.id, addressOf(after)))) throw new AppError(DUPLICATE_HOOK);
}

async function urlOf({ platform, db }: TriggerContext, owner: TriggerOwner): Promise<string> {
  const { code } = await getTenant(db);
  const token = signHookToken(platform.tokens, { tenantId: db.tenantId, automationId: owner.id });
  return `${platform.publicUrl()}/api/hooks/${code}/${encodePath(addressOf(owner).path)}?token=${token}`;
}
