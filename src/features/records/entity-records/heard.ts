/** Who hears of changes of records, known before one is written, so that a change that nobody hears of costs nothing. */
import type { Platform } from '../../../platform.ts';
import { type ActiveAutomation, activeAutomations } from '../../automations/api.ts';
import { heardEvents } from '../entity-webhooks/index.ts';

/** Who hears, as of a revision of a tenant's entities. */
export interface Heard {
  /** The names of events to which webhooks listen. */
  readonly events: ReadonlySet<string>;
  /** The automations that changes of records set off. */
  readonly automations: readonly ActiveAutomation[];
}

/** Where nothing is written. */
export const NOBODY: Heard = { events: new Set(), automations: [] };

/** Who hears of changes in a tenant, as of a revision of its entities. Not in a transaction: it may need a connection. */
export async function heardIn(platform: Platform, tenantId: string, revision: number): Promise<Heard> {
  const events = await heardEvents(platform, tenantId, revision);
  return { events, automations: await activeAutomations(platform, tenantId, revision) };
}
