import type { ListedVersion } from '../../sdk/src/generated/schemas.ts';
import { type DraftFields, findField } from '../drafts/draft-fields.ts';
import { useSession } from '../session/session-context.tsx';
import { LoadFailure } from '../shell/load-failure.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { actorName } from './actor-name.ts';
import type { HistoryRecord } from './history-record.ts';
import { shownChanges } from './shown-changes.ts';
import { historyTexts } from './texts.ts';
import { UnshownChanges } from './unshown-changes.tsx';
import { type useVersions, withMembers } from './use-versions.ts';
import classes from './version-list.module.css';

const { translate } = historyTexts;

interface VersionListProps {
  readonly record: HistoryRecord;
  readonly query: ReturnType<typeof useVersions>;
  /** Number of the version that is shown beside the list. */
  readonly shown?: number | undefined;
}

/** The versions of a record, the newest first, each with its author and what it changed. */
export function VersionList({ record, query, shown: selected }: VersionListProps) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const { user } = useSession();
  const versions = data?.pages.flat() ?? [];
  const fields = record.fieldsOf(versions);
  const rows = versions.map((version, index) => ({
    version,
    isCurrent: index === 0,
    summary: summaryOf(fields, version, versions[index + 1], !hasNextPage),
  }));
  return (
    <>
      <ol className={classes.versions} reversed>
        {rows.map(({ version, isCurrent, summary }) => (
          <li
            key={version.version}
            className={classes.version}
            data-selected={version.version === selected || undefined}
          >
            <div className={classes.line}>
              <TextLink href={record.hrefOf(version.version)}>
                {translate('version', { version: version.version })}
              </TextLink>
              {isCurrent && record.state?.isDeleted !== true ? (
                <Badge tone="success">{translate('current')}</Badge>
              ) : null}
            </div>
            {summary === null ? (
              <UnshownChanges recordKey={record.key} version={version.version} />
            ) : (
              <p>{summary}</p>
            )}
            <p className={classes.author}>
              {actorName(version.actor, user.id)} · <RelativeTime value={version.timestamp} />
            </p>
          </li>
        ))}
      </ol>
      {error === null ? null : (
        <LoadFailure error={error} onRetry={() => void fetchNextPage()} isRetrying={isFetchingNextPage} />
      )}
      {hasNextPage && error === null ? (
        <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
          {translate('more')}
        </Button>
      ) : null}
    </>
  );
}

/**
 * Returns what a version changed, in one line; null if people see none of it. Without the content of both versions, it
 * names whole members.
 */
function summaryOf(
  fields: DraftFields,
  listed: ListedVersion,
  before: ListedVersion | undefined,
  isComplete: boolean,
): string | null {
  if (before === undefined && isComplete) return translate('created');
  const [earlier, version] = [before === undefined ? null : withMembers(before), withMembers(listed)];
  const paths =
    earlier === null || version === null
      ? (listed.changed_fields ?? []).map((name) => [name])
      : shownChanges(fields, earlier, version).map(({ path }) => path);
  const labels = paths.flatMap((path) => findField(fields, path)?.label ?? []);
  return labels.length === 0 ? null : translate('changed', { fields: [...new Set(labels)].join(', ') });
}
