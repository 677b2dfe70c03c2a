import type { ApiFilters } from '../../filters/api-filters.ts';
import { activeLocale } from '../../texts/texts.ts';
import { groupsOf } from './audience-filters.ts';
import classes from './condition-summary.module.css';
import { conditionTexts } from './condition-text.ts';
import { texts } from './texts.ts';
import { useTitles } from './use-titles.ts';

const { translate } = texts;

/** The conditions of an audience in words. */
export function ConditionSummary({ filters }: { readonly filters: ApiFilters }) {
  const titles = useTitles(filters);
  const { all, any, none } = groupsOf(filters);
  const join = (group: ApiFilters) =>
    new Intl.ListFormat(activeLocale(), { type: 'conjunction' }).format(conditionTexts(group, titles));
  const own = conditionTexts(all, titles);
  if (own.length + any.length + none.length === 0) return translate('conditions.everybody');
  return (
    <ul className={classes.conditions}>
      {own.map((text) => (
        <li key={text}>{text}</li>
      ))}
      {any.length === 0 ? null : <Alternatives title={translate('conditions.any')} texts={any.map(join)} />}
      {none.length === 0 ? null : (
        <Alternatives title={translate('conditions.none')} texts={none.map(join)} />
      )}
    </ul>
  );
}

interface AlternativesProps {
  readonly title: string;
  readonly texts: readonly string[];
}

function Alternatives({ title, texts: items }: AlternativesProps) {
  return (
    <li>
      {title}
      <ul className={classes.items}>
        {items.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </li>
  );
}
