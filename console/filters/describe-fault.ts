import { type FieldTitles, titleOf } from './field-titles.ts';
import type { FilterFault } from './filter-text.ts';
import { filterTexts } from './texts.ts';

/** Says what is wrong with a part of a filter. */
export function describeFault({ kind, name }: FilterFault, titles: FieldTitles): string {
  return filterTexts.translate(`fault.${kind}`, { name: titleOf(titles, name) });
}
