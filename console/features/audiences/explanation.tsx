import type { schemas } from '../../../sdk/src/index.ts';
import type { ApiFilters } from '../../filters/api-filters.ts';
import { type FieldTitles, valueTitleOf } from '../../filters/field-titles.ts';
import { filterTexts } from '../../filters/texts.ts';
import { formatNumber } from '../../texts/formats.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { conditionTexts } from './condition-text.ts';
import classes from './explanation.module.css';
import { texts } from './texts.ts';
import { useTitles } from './use-titles.ts';

const { translate } = texts;

interface ExplanationProps {
  readonly explanation: schemas.AudienceExplanation;
  readonly filters: ApiFilters;
}

/** The answer, and each condition with the value of the subscriber. */
export function Explanation({ explanation, filters }: ExplanationProps) {
  const { is_member: isMember, is_of_unit: isOfUnit, is_computed: isComputed, groups } = explanation;
  return (
    <div className={classes.answer}>
      <Banner tone={isMember ? 'success' : 'warning'} title={translate(isMember ? 'why.in' : 'why.out')}>
        {isComputed ? (isOfUnit ? undefined : translate('why.unit')) : translate('why.manual')}
      </Banner>
      {groups.map((group) => (
        <Group key={group.path} group={group} filters={filters} />
      ))}
    </div>
  );
}

interface GroupProps {
  readonly group: schemas.ExplainedGroup;
  readonly filters: ApiFilters;
}

function Group({ group: { group, conditions }, filters }: GroupProps) {
  const titles = useTitles(filters);
  return (
    <div className={classes.group}>
      <p className={classes.title}>{translate(`why.${group}`)}</p>
      <ul className={classes.conditions}>
        {conditions.map(({ field, condition, value, met, problem }) => (
          <li key={field} className={classes.condition}>
            <div className={classes.words}>
              <span className={classes.text}>
                {conditionTexts({ [field]: condition }, titles).join(', ')}
              </span>
              <span className={classes.value}>
                {problem ??
                  (field === 'engagement'
                    ? ''
                    : translate('why.value', { value: valueText(value, field, titles) }))}
              </span>
            </div>
            <Badge tone={met ? 'success' : 'danger'}>{translate(met ? 'why.met' : 'why.unmet')}</Badge>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns a value of a subscriber in words. */
function valueText(value: unknown, field: string, titles: FieldTitles): string {
  if (value === null || value === '') return translate('why.empty');
  if (typeof value === 'boolean') return filterTexts.translate(value ? 'value.true' : 'value.false');
  if (typeof value === 'number') return formatNumber(value);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0) return translate('why.empty');
  return values.map((each) => valueTitleOf(titles, field, String(each))).join(', ');
}
