import type { MemberContext } from '../../../http/context.ts';
import { changeRecord } from '../../../resources/records.ts';
import { insertVersion, listActiveKeysOf, markReplaced } from './queries.ts';
import { automationResource } from './resource.ts';

/**
 * Deactivates the automations that changes of an entity trigger, in the transaction that deletes the entity. They must
 * not run for another entity that gets the same name later.
 */
export async function deactivateAutomationsOf(ctx: MemberContext, entity: string): Promise<void> {
  for (const key of await listActiveKeysOf(ctx.db, entity)) {
    const row = await changeRecord(ctx, automationResource, key, {}, () => ({ active: false }));
    await markReplaced(ctx.db, row.id, ctx.now);
    await insertVersion(ctx.db, row);
  }
}
