import type { FilterOperation, FilterType, ListFilters } from '../../sdk/src/list-facts.ts';
import { formatDate, formatNumber } from '../texts/formats.ts';
import { activeLocale } from '../texts/texts.ts';
import { type Condition, findField } from './condition.ts';
import { type FieldTitles, titleOf, valueTitleOf } from './field-titles.ts';
import { filterTexts } from './texts.ts';

const { translate } = filterTexts;

/** Parts of a condition in the user's language. */
export interface ConditionText {
  readonly field: string;
  readonly operation: string;
  readonly values: string;
}

/** Describes a condition, such as "Created", "after", "Sun 1 Nov". */
export function describeCondition(
  { field, operation, values }: Condition,
  filters: ListFilters,
  titles: FieldTitles,
): ConditionText {
  const type = findField(filters, field)?.type;
  const shown = values.map((value) => {
    if (type === 'time') return formatTime(value);
    if (type === 'number') return formatNumber(Number(value));
    if (type === 'boolean') return translate(value === 'true' ? 'value.true' : 'value.false');
    return valueTitleOf(titles, field, value);
  });
  const list = new Intl.ListFormat(activeLocale(), {
    type: operation === 'between' ? 'conjunction' : 'disjunction',
  });
  return {
    field: titleOf(titles, field),
    operation: titleOfOperation(operation, type),
    values: list.format(shown),
  };
}

/** Returns a condition as one text, such as "Created is after Sun 1 Nov". */
export function printCondition({ field, operation, values }: ConditionText): string {
  return [field, operation, values].filter((part) => part !== '').join(' ');
}

/** Comparisons that are called otherwise for times. */
const TIME_TITLES = { gt: 'time.gt', gte: 'time.gte', lt: 'time.lt', lte: 'time.lte' } as const;

/** Returns the name of an operation, such as "is after" for times and "is more than" for numbers. */
export function titleOfOperation(operation: FilterOperation, type: FilterType | undefined): string {
  const isOfTime = operation === 'gt' || operation === 'gte' || operation === 'lt' || operation === 'lte';
  return translate(type === 'time' && isOfTime ? TIME_TITLES[operation] : `operation.${operation}`);
}

/** A day is one of UTC, as the API compares it. */
function formatTime(value: string): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  return value.includes('T') ? formatDate(date, 'dateTime') : formatDate(date, 'date', 'UTC');
}
