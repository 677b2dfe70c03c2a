/** Runs actions of automations without a run. */
import { randomUUID } from 'node:crypto';
import { features } from '../../src/features/index.ts';
import type { ActionContext, ActionResult, ActionType } from '../../src/flows/action-type.ts';
import type { Platform } from '../../src/platform.ts';
import { wholeTenant } from '../../src/tenancy/scope.ts';

/** All action types. */
export const ACTION_TYPES: readonly ActionType[] = features.flatMap(({ actionTypes }) => actionTypes ?? []);

/** Platform and tenant of an action. */
export interface ActionSite {
  readonly platform: Platform;
  readonly tenantId: string;
}

/**
 * Runs an action and returns its result after its writes are committed. Rejects with the error of a failed action,
 * which writes nothing. `note` runs in the same transaction, like the storing of the result in a run.
 */
export async function act(
  site: ActionSite,
  key: string,
  params: object,
  note: () => Promise<void> = () => Promise.resolve(),
): Promise<ActionResult> {
  const type = actionType(key);
  const ctx = contextOf(site);
  if (type.isCall) return type.call(ctx, params);
  const prepared = await type.prepare(ctx, params);
  return ctx.db.transaction(async (db) => {
    const result = await type.write({ ...ctx, db }, params, prepared);
    await note();
    return result;
  });
}

/** Returns the preview of an action. */
export function preview(site: ActionSite, key: string, params: object): Promise<ActionResult> {
  return actionType(key).preview(contextOf(site), params);
}

function actionType(key: string): ActionType {
  const found = ACTION_TYPES.find((type) => type.key === key);
  if (found === undefined) throw new Error(`There is no action type ${key}.`);
  return found;
}

function contextOf({ platform, tenantId }: ActionSite): ActionContext {
  return {
    platform,
    db: platform.scoped(wholeTenant(tenantId)),
    actor: { kind: 'automation', key: 'tested', runId: randomUUID(), chain: [], depth: 1 },
    now: platform.clock(),
    openSecret: (sealed) => platform.secrets.open(sealed, tenantId),
    idempotencyKey: randomUUID(),
    timeoutMs: 30_000,
  };
}
