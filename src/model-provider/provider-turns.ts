/** Slots for calls of the provider. Tenants take turns, so that slow answers to one do not delay the others. */
import { AppError } from '../errors/app-error.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import type { Release } from '../work-queue/fair-queue.ts';
import { TenantTurns } from '../work-queue/tenant-turns.ts';
import { LLM_PROVIDER_ERROR } from './errors.ts';

/** Concurrent calls of a process: fewer than the connections that the outbound client opens to one origin (128). */
const SLOTS = 120;
/** Concurrent calls of one tenant: two tenants with slow answers leave a third of the slots to others. */
const SLOTS_PER_TENANT = 40;
const LONGEST_WAIT_MS = 30_000;

const turns = oncePerPlatform(() => new TenantTurns({ total: SLOTS, perTenant: SLOTS_PER_TENANT }));

/** Waits for a slot. @throws AppError LLM_PROVIDER_ERROR when none is free in time. */
export async function waitForProvider(platform: Platform, tenantId: string): Promise<Release> {
  const maxWaitMs = Math.min(LONGEST_WAIT_MS, platform.config.llmTimeoutSeconds * 1000);
  const release = await turns(platform).take(tenantId, maxWaitMs);
  if (release !== null) return release;
  const message = `A tenant can run at most ${SLOTS_PER_TENANT} calls of the model provider at once. Try again later.`;
  throw new AppError(LLM_PROVIDER_ERROR, { message });
}
