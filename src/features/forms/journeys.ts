/** What forms ask of journeys: the feature of these imports forms, and says so at start. */
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { type FindUses, refuseUsed } from '../../resources/uses.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** What is known of journeys. */
export interface FormJourneys {
  /** True if the scope reaches such a journey. */
  isThere(db: ScopedDb, journeyId: string): Promise<boolean>;
  /** Finds active journeys that name a form. */
  readonly usesOfForm: FindUses;
}

const registered = oncePerPlatform((): FormJourneys[] => []);

/** Says who knows the journeys: once, at start. */
export function registerFormJourneys(platform: Platform, journeys: FormJourneys): void {
  registered(platform).push(journeys);
}

/** True if the scope reaches such a journey. */
export async function isJourney(platform: Platform, db: ScopedDb, journeyId: string): Promise<boolean> {
  for (const journeys of registered(platform)) if (await journeys.isThere(db, journeyId)) return true;
  return false;
}

/** @throws AppError IN_USE naming the active journeys that name the form. */
export async function refuseUsedForm(platform: Platform, db: ScopedDb, formCode: string): Promise<void> {
  for (const journeys of registered(platform)) refuseUsed(db, await journeys.usesOfForm(db, formCode));
}
