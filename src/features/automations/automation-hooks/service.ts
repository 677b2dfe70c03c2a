/** Calls of hooks: each creates a run (docs/specification/automations.md#hooks). */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN, NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { HookContext, MemberContext } from '../../../http/context.ts';
import { isCredentialHeader } from '../../../outbound/header-rules.ts';
import { hasRoleInAnyUnit } from '../../../tenancy/caller.ts';
import { getTenant } from '../../../tenancy/find-tenant.ts';
import { findActiveAutomation, requestRuns, requireInputQuota } from '../automations/index.ts';
import { trimSlashes } from './address.ts';
import { findHook } from './queries.ts';
import type { HookParams, HookQuery, HookReply } from './schema.ts';

/** A hook call with its parsed body. */
export interface HookCall {
  readonly params: HookParams;
  readonly query: HookQuery;
  readonly body: unknown;
}

/**
 * Requests the run of a call, in the transaction of a route's `write`. @throws AppError FORBIDDEN for a key without the
 * editor role, NOT_FOUND if this credential cannot call the hook, TOO_MANY_RUNS, AUTOMATION_INPUTS_FULL.
 */
export async function callHook(ctx: MemberContext | HookContext, call: HookCall): Promise<HookReply> {
  const { db, platform, now, method } = ctx;
  if ('caller' in ctx && !hasRoleInAnyUnit(ctx.caller, 'editor')) throw new AppError(FORBIDDEN);
  const { params, query, body } = call;
  const path = trimSlashes(params.path);
  const automationId = await findCallable(ctx, params.tenant_code, path);
  const automation = automationId && (await findActiveAutomation(db, { id: automationId }));
  if (!automation) throw new AppError(NOT_FOUND);
  // Services send HEAD to check that an address exists before they register it.
  if (method === 'HEAD') return { run_id: '' };
  await requireInputQuota(platform, db);
  const { token: _secret, ...visibleQuery } = query;
  const trigger = JSON.stringify({
    body: body ?? null,
    query: visibleQuery,
    method,
    headers: visibleHeaders(ctx.headers),
    path,
  });
  const { id, version } = automation;
  const [runId] = await requestRuns(db, { platform, now }, [
    { automationId: id, version, triggerType: 'webhook', trigger },
  ]);
  if (typeof runId !== 'string') throw new Error('A hook call created no run.');
  return { run_id: runId };
}

/** Returns the automation at an address of the caller's tenant. A token only finds its own automation. */
async function findCallable(
  ctx: MemberContext | HookContext,
  tenantCode: string,
  path: string,
): Promise<string | undefined> {
  const { db, method } = ctx;
  if ((await getTenant(db)).code !== tenantCode) return undefined;
  const found = await findHook(db, path, method === 'HEAD' ? 'get' : method.toLowerCase());
  return 'automationId' in ctx && ctx.automationId !== found ? undefined : found;
}

/** Headers about the connection, and headers with credentials, are hidden from runs. */
const HIDDEN =
  /^x-business-unit$|^x-forwarded|^forwarded$|^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|host|idempotency-key|tessera-chain)$/;

/** Returns the request headers that a run may read. */
function visibleHeaders(headers: IncomingHttpHeaders): Record<string, string | string[] | undefined> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HIDDEN.test(name) && !isCredentialHeader(name)),
  );
}
