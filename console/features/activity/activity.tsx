import { useMemo } from 'react';
import { activityList } from '../../../sdk/src/generated/lists.ts';
import type { schemas } from '../../../sdk/src/index.ts';
import { toApiFilters } from '../../filters/condition.ts';
import { FaultNotice } from '../../filters/fault-notice.tsx';
import type { FieldTitles } from '../../filters/field-titles.ts';
import { FilterBar } from '../../filters/filter-bar.tsx';
import type { FilterState } from '../../filters/filter-state.ts';
import { parseFilter, printFilter } from '../../filters/filter-text.ts';
import { NoMatch } from '../../filters/no-match.tsx';
import { groupByDay } from '../../history/group-by-day.ts';
import { useKnownFields } from '../../history/use-known-fields.ts';
import { kindTitle } from '../../kinds/kind-title.ts';
import { KINDS } from '../../kinds/kinds.ts';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { LoadFailure } from '../../shell/load-failure.tsx';
import { UnitNotice } from '../../table/unit-notice.tsx';
import { useTableSearch } from '../../table/use-table-search.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useNow } from '../../ui/now.ts';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './activity.module.css';
import { ChangeRow } from './change-row.tsx';
import { texts } from './texts.ts';
import { type ActivityFilters, useActivity } from './use-activity.ts';

const { translate } = texts;
const { filters: FACTS } = activityList;

/** Changes by members and operators, by day. */
export function Activity() {
  const { state, titles } = useFilter();
  const key = printFilter(state.conditions, state.filters);
  const query = useActivity(key, toApiFilters<ActivityFilters>(state.conditions, state.filters));
  return (
    <Page>
      <PageHeader title={translate('title')} description={translate('intro')} />
      <div className={classes.toolbar}>
        <FilterBar table={state} titles={titles} />
      </div>
      <UnitNotice />
      <FaultNotice table={state} titles={titles} />
      <Changes query={query} state={state} titles={titles} />
    </Page>
  );
}

interface ChangesProps {
  readonly query: ReturnType<typeof useActivity>;
  readonly state: FilterState;
  readonly titles: FieldTitles;
}

function Changes({ query, state, titles }: ChangesProps) {
  const { data, error, refetch, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage } = query;
  const now = useNow();
  const fieldsOf = useKnownFields();
  if (data === undefined)
    return error === null ? (
      <Skeleton shape="rows" count={8} />
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
    );
  const changes = data.pages.flatMap(({ results }) => results);
  if (changes.length === 0)
    return state.conditions.length > 0 ? (
      <NoMatch table={state} titles={titles} />
    ) : (
      <EmptyState title={translate('empty')} />
    );
  return (
    <>
      <div>
        {groupByDay(changes, now).map(({ title, events }) => (
          <Section key={title} title={title}>
            <Card isFlush>
              <ol className={classes.changes}>
                {events.map((change) => (
                  <ChangeRow key={keyOf(change)} change={change} fields={fieldsOf(change.entity_type)} />
                ))}
              </ol>
            </Card>
          </Section>
        ))}
      </div>
      {error === null ? null : (
        <LoadFailure error={error} onRetry={() => void fetchNextPage()} isRetrying={isFetchingNextPage} />
      )}
      {hasNextPage && error === null ? (
        <div className={classes.more}>
          <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
            {translate('more')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function keyOf({ entity_type, key, version, action }: schemas.Activity): string {
  return JSON.stringify([entity_type, key, version, action]);
}

/** The filter in the URL, with the members of the tenant as choices. */
function useFilter(): { readonly state: FilterState; readonly titles: FieldTitles } {
  const { search, change } = useTableSearch();
  const names = useTenantQuery(['member-names'], (api, options) => api.members.names(options));
  const members = names.data?.results;
  const filter = search.filter ?? '';
  return useMemo(() => {
    const { conditions, faults } = parseFilter(filter, FACTS);
    return {
      state: { filters: FACTS, conditions, search: '', unknown: { filters: faults }, change },
      titles: {
        entity_type: {
          title: translate('filter.entity_type'),
          values: Object.fromEntries(KINDS.map((kind) => [kind, kindTitle(kind)])),
        },
        key: { title: translate('filter.key') },
        membership_id: {
          title: translate('filter.membership_id'),
          values: Object.fromEntries((members ?? []).map(({ membership_id, name }) => [membership_id, name])),
        },
        action: {
          title: translate('filter.action'),
          values: {
            created: translate('filter.created'),
            updated: translate('filter.updated'),
            deleted: translate('filter.deleted'),
            restored: translate('filter.restored'),
          },
        },
        at: { title: translate('filter.at') },
      },
    };
  }, [filter, change, members]);
}
