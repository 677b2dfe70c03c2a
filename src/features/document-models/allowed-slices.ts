import { isContentId } from '../projects/index.ts';

/**
 * The slices that definitions allow: the choices of each field `{type: 'Slices', config: {choices: {<slice id>: …}}}`,
 * wherever it stands, in groups and other fields too. Each once, in order.
 */
export function slicesIn(definition: unknown): string[] {
  const found = new Set<string>();
  const open: unknown[] = [definition];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const id of choicesOf(value)) found.add(id);
    // One by one: a call takes no more arguments than fit on the stack.
    for (const inner of Object.values(value)) open.push(inner);
  }
  return [...found].sort();
}

/** The choices of a field that is a slice zone. */
function choicesOf(field: object): string[] {
  if (!('type' in field && field.type === 'Slices' && 'config' in field)) return [];
  const { config } = field;
  if (typeof config !== 'object' || config === null || !('choices' in config)) return [];
  const { choices } = config;
  if (typeof choices !== 'object' || choices === null || Array.isArray(choices)) return [];
  return Object.keys(choices).filter(isContentId);
}
