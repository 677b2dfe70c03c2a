/** Actions of automations, done as a run does them, without one. */
import { randomUUID } from 'node:crypto';
import { features } from '../../src/features/index.ts';
import type { ActionContext, ActionResult, ActionType } from '../../src/flows/action-type.ts';
import type { Platform } from '../../src/platform.ts';
import { wholeTenant } from '../../src/tenancy/scope.ts';

/** Every action type that there is. */
export const ACTION_TYPES: readonly ActionType[] = features.flatMap(({ actionTypes }) => actionTypes ?? []);

/** Whose action it is, and where. */
export interface ActionSite {
  readonly platform: Platform;
  readonly tenantId: string;
}

/**
 * Does an action: its result, once what it has written is there. Rejects with what fails it, and nothing is written then;
 * `note` is what else its transaction does, as a run notes the result.
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

/** What an action would do. */
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
