import { allowedSlicesIn } from '../document-models/index.ts';
import { isContentId } from '../projects/index.ts';

/**
 * Returns the ids of slices that the variations of a slice allow: blocks in columns, and choices of slice zones in
 * fields. Each id occurs once, in order. A column that allows all slices contributes none.
 */
export function allowedSlicesInVariations(variations: unknown): string[] {
  const allowed = asList(variations)
    .flatMap((variation) => asList(memberOf(variation, 'columns')))
    .flatMap((column) => asList(memberOf(column, 'allow')))
    .filter((id) => typeof id === 'string')
    .filter(isContentId);
  return [...new Set([...allowedSlicesIn(variations), ...allowed])].sort();
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
