import { ExtensionPoint } from '../../../extension-point.ts';
import type { Platform } from '../../../platform.ts';
import { type FindUses, refuseUsedBy } from '../../../resources/uses.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Look-ups of journeys, for forms that start them and journeys that use forms. */
export interface FormJourneys {
  /** Returns true if the scope reaches such a journey. */
  exists(db: ScopedDb, journeyId: string): Promise<boolean>;
  /** Finds active journeys that use a form. */
  readonly usesOfForm: FindUses;
}

/** Implemented by the journeys feature. */
export const formJourneys = new ExtensionPoint<FormJourneys>();

/** Returns true if the scope reaches such a journey. */
export async function isJourney(platform: Platform, db: ScopedDb, journeyId: string): Promise<boolean> {
  for (const journeys of formJourneys.of(platform)) if (await journeys.exists(db, journeyId)) return true;
  return false;
}

/** @throws AppError IN_USE naming the active journeys that use the form. */
export async function refuseUsedForm(platform: Platform, db: ScopedDb, formCode: string): Promise<void> {
  const finders = formJourneys.of(platform).map(({ usesOfForm }) => usesOfForm);
  await refuseUsedBy(db, finders, formCode);
}
