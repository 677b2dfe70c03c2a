import { ExtensionPoint } from '../../../extension-point.ts';
import type { Platform } from '../../../platform.ts';
import { type FindUses, refuseUsedBy } from '../../../resources/uses.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Look-ups of journeys, which forms name and which name forms. */
export interface FormJourneys {
  /** Returns true if the scope reaches such a journey. */
  isThere(db: ScopedDb, journeyId: string): Promise<boolean>;
  /** Finds active journeys that name a form. */
  readonly usesOfForm: FindUses;
}

/** The feature that has the journeys. */
export const formJourneys = new ExtensionPoint<FormJourneys>();

/** Returns true if the scope reaches such a journey. */
export async function isJourney(platform: Platform, db: ScopedDb, journeyId: string): Promise<boolean> {
  for (const journeys of formJourneys.of(platform)) if (await journeys.isThere(db, journeyId)) return true;
  return false;
}

/** @throws AppError IN_USE naming the active journeys that name the form. */
export async function refuseUsedForm(platform: Platform, db: ScopedDb, formCode: string): Promise<void> {
  const finders = formJourneys.of(platform).map(({ usesOfForm }) => usesOfForm);
  await refuseUsedBy(db, finders, formCode);
}
