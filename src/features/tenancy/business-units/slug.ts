import { toLatin } from './to-latin.ts';

const MAX_LENGTH = 60;
/** Longest suffix (`-` and a number) in characters; no tenant has that many units. */
const LONGEST_SUFFIX = 10;

/**
 * Pattern of a slug. A slug never has the form of an id, because request bodies may contain either
 * (docs/specification/tenants.md#business-units).
 */
export const SLUG_PATTERN =
  '^(?![0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$)(?=.{1,60}$)[a-z0-9]+(?:[-_][a-z0-9]+)*$';

const SLUG = new RegExp(SLUG_PATTERN);

/** Derives a slug from a unit's name: `Zürich Süd!` becomes `zurich-sud`. */
export function slugOf(name: string): string {
  const slug = toLatin(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return SLUG.test(slug) ? slug : 'unit';
}

/** Returns the common prefix of `base` and every slug that `freeSlug` derives from it. */
export function stemOf(base: string): string {
  return base.slice(0, MAX_LENGTH - LONGEST_SUFFIX).replace(/-+$/, '');
}

/** Returns the first free slug of `base`, `base-2`, `base-3` … */
export function freeSlug(base: string, usedSlugs: ReadonlySet<string>): string {
  if (!usedSlugs.has(base)) return base;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const candidate = base.slice(0, MAX_LENGTH - suffix.length).replace(/-+$/, '') + suffix;
    if (!usedSlugs.has(candidate)) return candidate;
  }
}
