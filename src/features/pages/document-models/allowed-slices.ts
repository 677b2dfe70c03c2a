import { isContentId } from '../projects/index.ts';

/**
 * Returns the slices that a definition allows: the choices of each field
 * `{type: 'Slices', config: {choices: {<slice id>: …}}}` at any depth. Each slice occurs once, in order.
 */
export function allowedSlicesIn(definition: unknown): string[] {
  const found = new Set<string>();
  const pending: unknown[] = [definition];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const id of choicesOf(value)) found.add(id);
    // Push one by one: spread arguments are limited by the stack.
    for (const inner of Object.values(value)) pending.push(inner);
  }
  return [...found].sort();
}

/** Returns the choices of a slice zone field. */
function choicesOf(field: object): string[] {
  if (!('type' in field && field.type === 'Slices' && 'config' in field)) return [];
  const { config } = field;
  if (typeof config !== 'object' || config === null || !('choices' in config)) return [];
  const { choices } = config;
  if (typeof choices !== 'object' || choices === null || Array.isArray(choices)) return [];
  return Object.keys(choices).filter(isContentId);
}
