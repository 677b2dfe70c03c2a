import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { actorName } from '../../history/actor-name.ts';
import { fieldsOfAny } from '../../history/fields-of-any.ts';
import type { HistoryRecord } from '../../history/history-record.ts';
import { RestoreButton } from '../../history/restore-button.tsx';
import { historyTexts } from '../../history/texts.ts';
import { useActivityPath } from '../../history/use-activity-path.ts';
import { useKnownNames } from '../../history/use-known-names.ts';
import { useVersions } from '../../history/use-versions.ts';
import { VersionComparison } from '../../history/version-comparison.tsx';
import { VersionList } from '../../history/version-list.tsx';
import { kindTitle } from '../../kinds/kind-title.ts';
import { type Kind, readKind } from '../../kinds/kinds.ts';
import { useSession } from '../../session/session-context.tsx';
import { useInvalidate, useTenantQuery } from '../../session/use-tenant-query.ts';
import { LoadFailure } from '../../shell/load-failure.tsx';
import { Missing } from '../../shell/missing.tsx';
import { RecordPage } from '../../shell/record-page.tsx';
import { useRecordHistoryPath, useRecordScreen } from '../../shell/record-path.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { recordHistoryRoute } from './index.ts';
import classes from './record-history.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

/** The versions of a record of any kind: who changed what, how they differ, and what can be restored. */
export function RecordHistory() {
  const { kind: name, key } = recordHistoryRoute.useParams();
  const kind = readKind(name);
  return kind === null ? <Missing /> : <OfKind key={`${kind} ${key}`} kind={kind} recordKey={key} />;
}

interface OfKindProps {
  readonly kind: Kind;
  readonly recordKey: string;
}

function OfKind({ kind, recordKey }: OfKindProps) {
  const key = { entityType: kind, entitySortKey: recordKey };
  const query = useTenantQuery(['history', kind, recordKey, 'summary'], (api, options) =>
    api.entityRecords.get(key, options),
  );
  const versions = useVersions(key);
  const pathOf = useTenantPath();
  return (
    <RecordPage
      query={query}
      title={kindTitle(kind)}
      missing={{
        title: translate('missing.title'),
        text: translate('missing.text'),
        back: translate('missing.back'),
        href: pathOf('activity'),
      }}
    >
      {(summary) => (
        <>
          <Header summary={summary} />
          {versions.data !== undefined ? (
            <Versions summary={summary} query={versions} />
          ) : versions.error === null ? (
            <Skeleton count={6} />
          ) : (
            <LoadFailure
              error={versions.error}
              onRetry={() => void versions.refetch()}
              isRetrying={versions.isFetching}
            />
          )}
        </>
      )}
    </RecordPage>
  );
}

interface HeaderProps {
  readonly summary: schemas.RecordSummary;
}

function Header({ summary }: HeaderProps) {
  const { entity_type: kind, key, title, deleted_at, actor, refusal } = summary;
  const activityPath = useActivityPath();
  const { user } = useSession();
  const screen = useRecordScreen()(kind, key);
  return (
    <>
      <PageHeader
        title={title === key ? `${kindTitle(kind)} ${key}` : title}
        status={deleted_at === null ? undefined : <Badge tone="danger">{translate('deleted')}</Badge>}
        description={title === key ? undefined : kindTitle(kind)}
        actions={
          <>
            <LinkButton href={activityPath({ entityType: kind, entitySortKey: key })} icon="activity">
              {translate('activity')}
            </LinkButton>
            {deleted_at === null ? (
              screen === null ? null : (
                <LinkButton href={screen} variant="primary">
                  {translate('open')}
                </LinkButton>
              )
            ) : (
              <RestoreButton
                item={summary}
                variant="primary"
                refusal={refusal === null ? undefined : historyTexts.translate(`refusal.${refusal}`)}
              />
            )}
          </>
        }
      />
      {deleted_at === null ? null : (
        <Banner tone="neutral">
          {translate('deleted.text', { actor: actorName(actor, user.id) })} ·{' '}
          <RelativeTime value={deleted_at} />
        </Banner>
      )}
    </>
  );
}

interface VersionsProps extends HeaderProps {
  readonly query: ReturnType<typeof useVersions>;
}

/** The list of versions with the comparison of one beside it. Phones show one of both. */
function Versions({ summary, query }: VersionsProps) {
  const { entity_type: entityType, key, title, deleted_at, refusal, restorable_fields } = summary;
  const { version } = recordHistoryRoute.useSearch();
  const navigate = useNavigate({ from: recordHistoryRoute.fullPath });
  const invalidate = useInvalidate();
  const historyPath = useRecordHistoryPath();
  const versions = query.data?.pages.flat() ?? [];
  const names = useKnownNames(versions);
  const record: HistoryRecord = {
    key: { entityType, entitySortKey: key },
    name: title,
    fieldsOf: (shown) => fieldsOfAny(shown, names),
    hrefOf: (shown) => historyPath(entityType, key, shown === true ? undefined : shown),
    // All lists may show the record.
    reload: () => invalidate(),
    state: { isDeleted: deleted_at !== null, refusal, restorableFields: restorable_fields },
  };
  const shown = version ?? versions[0]?.version ?? 0;
  return (
    <div className={classes.layout} data-shown={version === undefined ? 'versions' : 'version'}>
      <h2 className="visually-hidden">{translate('versions')}</h2>
      <div className={classes.versions}>
        <VersionList record={record} query={query} shown={shown} />
      </div>
      <div className={classes.version}>
        <VersionComparison
          key={shown}
          record={record}
          versions={versions}
          isComplete={!query.hasNextPage}
          shown={shown}
          back={
            <p className={classes.back}>
              <TextLink href={record.hrefOf(true)}>{historyTexts.translate('all')}</TextLink>
            </p>
          }
          onDone={() => void navigate({ search: {}, replace: true })}
        />
      </div>
    </div>
  );
}
