/** Locations of the areas and features in `src/features`. */

/** Areas that are one feature. The others have a folder for each feature. */
const SINGLE_FEATURE_AREAS = [
  'assets',
  'bulk-actions',
  'console',
  'deliveries',
  'email-settings',
  'journeys',
  'long-operations',
  'overview',
  'reports',
  'subscriber-timeline',
];

/** Returns the area of a path: `mail` for `src/features/mail/outbox/routes.ts`; null outside of areas. */
export function areaOf(path: string): string | null {
  return /^src\/features\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/**
 * Returns the folder of a path's feature: `src/features/mail/outbox`; null outside of features, also for the `index.ts`
 * and `api.ts` of an area that has several.
 */
export function featureFolderOf(path: string): string | null {
  const area = areaOf(path);
  if (area === null) return null;
  if (SINGLE_FEATURE_AREAS.includes(area)) return `src/features/${area}`;
  return /^src\/features\/[^/]+\/[^/]+(?=\/)/.exec(path)?.[0] ?? null;
}
