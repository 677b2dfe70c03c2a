import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PlainButton } from '../ui/plain-button.tsx';
import { describeCondition, printCondition } from './condition-text.ts';
import type { FieldTitles } from './field-titles.ts';
import classes from './filter-bar.module.css';
import { type FilterState, removeCondition } from './filter-state.ts';
import { filterTexts } from './texts.ts';

const { translate } = filterTexts;

interface NoMatchProps {
  readonly table: FilterState;
  readonly titles: FieldTitles;
}

/** A list whose search and filters leave nothing: each can be removed. */
export function NoMatch({ table, titles }: NoMatchProps) {
  const { conditions, search, filters, change } = table;
  const limits = [
    ...(search === ''
      ? []
      : [
          {
            id: 'search',
            text: translate('none.search', { search }),
            remove: () => change({ search: undefined }),
          },
        ]),
    ...conditions.map((condition) => ({
      id: `${condition.field} ${condition.operation}`,
      text: translate('none.remove', {
        limit: printCondition(describeCondition(condition, filters, titles)),
      }),
      remove: () => removeCondition(table, condition),
    })),
  ];
  return (
    <EmptyState
      drawing="search"
      title={translate('none.title')}
      action={
        <div className={classes.active}>
          {limits.map(({ id, text, remove }) => (
            <Button key={id} size="small" icon="x" onPress={remove}>
              {text}
            </Button>
          ))}
        </div>
      }
      link={
        limits.length < 2 ? undefined : (
          <PlainButton
            className={classes.all}
            onPress={() => change({ search: undefined, filter: undefined })}
          >
            {translate('none.all')}
          </PlainButton>
        )
      }
    />
  );
}
