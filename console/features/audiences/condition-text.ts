import { type ApiFilters, readApiFilters } from '../../filters/api-filters.ts';
import { describeCondition, printCondition } from '../../filters/condition-text.ts';
import type { FieldTitles } from '../../filters/field-titles.ts';
import { AUDIENCE_FACTS } from './audience-filters.ts';
import { engagementText, readEngagement } from './engagement.ts';

/** Returns the conditions of one group in words; what has none is shown as it is stored. */
export function conditionTexts(group: ApiFilters, titles: FieldTitles): string[] {
  const { conditions, rest } = readApiFilters(group, AUDIENCE_FACTS);
  return [
    ...conditions.map((condition) => printCondition(describeCondition(condition, AUDIENCE_FACTS, titles))),
    ...Object.entries(rest).map(([name, value]) => {
      const engagement = name === 'engagement' ? readEngagement(value) : null;
      return engagement === null ? `${name} ${JSON.stringify(value)}` : engagementText(engagement);
    }),
  ];
}
