import { useNavigate } from '@tanstack/react-router';
import { groupByDay } from '../../history/group-by-day.ts';
import { useTenantFeed } from '../../session/use-tenant-feed.ts';
import { LoadFailure } from '../../shell/load-failure.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useNow } from '../../ui/now.ts';
import { Section } from '../../ui/section.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { timelineRoute } from './index.ts';
import { SubscriberPage } from './subscriber-page.tsx';
import { texts } from './texts.ts';
import classes from './timeline.module.css';
import { TimelineRow } from './timeline-row.tsx';
import { TIMELINE_PARTS, type TimelinePart } from './timeline-search.ts';

const { translate } = texts;

/** The timeline of a subscriber, by day. */
export function TimelineScreen() {
  const { subscriberId } = timelineRoute.useParams();
  const { show } = timelineRoute.useSearch();
  const query = useTimeline(subscriberId, show);
  return (
    <SubscriberPage id={subscriberId} tab="timeline">
      {() => (
        <>
          <PartChoice part={show} />
          <Entries query={query} isFiltered={show !== undefined} subscriberId={subscriberId} />
        </>
      )}
    </SubscriberPage>
  );
}

/** Reads the timeline page by page, newest first. */
function useTimeline(id: string, part: TimelinePart | undefined) {
  const kinds = part === undefined ? {} : { kinds: TIMELINE_PARTS[part] };
  return useTenantFeed(['subscribers', id, 'timeline', part ?? 'all'], {
    first: '',
    read: (api, after, options) =>
      api.subscribers.timeline(id, { ...kinds, ...(after === '' ? {} : { after }) }, options),
    next: (pages) => pages.at(-1)?.next ?? null,
  });
}

/** Chooses the part that is shown. */
function PartChoice({ part }: { readonly part: TimelinePart | undefined }) {
  const navigate = useNavigate({ from: timelineRoute.fullPath });
  return (
    <SegmentedControl
      label={translate('timeline.show')}
      value={part ?? 'all'}
      options={[
        { id: 'all', title: translate('timeline.all') },
        { id: 'mail', title: translate('timeline.mail') },
        { id: 'forms', title: translate('timeline.forms') },
        { id: 'journeys', title: translate('timeline.journeys') },
        { id: 'changes', title: translate('timeline.changes') },
      ]}
      onChange={(show) => void navigate({ search: show === 'all' ? {} : { show }, replace: true })}
    />
  );
}

interface EntriesProps {
  readonly query: ReturnType<typeof useTimeline>;
  readonly isFiltered: boolean;
  readonly subscriberId: string;
}

function Entries({ query, isFiltered, subscriberId }: EntriesProps) {
  const { data, error, refetch, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage } = query;
  const now = useNow();
  if (data === undefined)
    return error === null ? (
      <Skeleton shape="rows" count={6} />
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
    );
  const entries = data.pages.flatMap(({ results }) => results);
  if (entries.length === 0)
    return <EmptyState title={translate(isFiltered ? 'timeline.empty.filtered' : 'timeline.empty')} />;
  return (
    <>
      <div>
        {groupByDay(entries, now).map(({ title, events }) => (
          <Section key={title} title={title}>
            <Card isFlush>
              <ol className={classes.entries}>
                {events.map((entry) => (
                  <TimelineRow key={`${entry.kind} ${entry.id}`} entry={entry} subscriberId={subscriberId} />
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
            {translate('timeline.more')}
          </Button>
        </div>
      ) : null}
    </>
  );
}
