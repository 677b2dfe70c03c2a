import type { SearchKindName } from '../../sdk/src/generated/schemas.ts';
import { kindTexts } from './texts.ts';

/** Returns the name of a kind of record. The loader of the screen loads `kindTexts`. */
export function kindTitle(kind: SearchKindName): string {
  return kindTexts.translate(`kind.${kind}`);
}
