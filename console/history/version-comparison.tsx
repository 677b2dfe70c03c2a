import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { ListedVersion } from '../../sdk/src/generated/schemas.ts';
import { ChangeList } from '../drafts/change-list.tsx';
import { changesBetween } from '../drafts/changes.ts';
import { type DraftFields, findField } from '../drafts/draft-fields.ts';
import { LongText } from '../drafts/long-text.tsx';
import { useSession } from '../session/session-context.tsx';
import { LoadFailure } from '../shell/load-failure.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { actorName } from './actor-name.ts';
import type { HistoryRecord } from './history-record.ts';
import type { Version } from './restore-request.ts';
import { shownChanges } from './shown-changes.ts';
import { historyTexts } from './texts.ts';
import { UnshownChanges } from './unshown-changes.tsx';
import { useVersion } from './use-versions.ts';
import classes from './version-comparison.module.css';

const { translate } = historyTexts;
// Only for older versions: it needs the components of forms.
const Restoration = lazy(async () => ({ default: (await import('./restoration.tsx')).Restoration }));

interface VersionComparisonProps {
  readonly record: HistoryRecord;
  /** The newest ones, in descending order. */
  readonly versions: readonly ListedVersion[];
  /** True if these are all versions. */
  readonly isComplete: boolean;
  /** Number of the version to compare. */
  readonly shown: number;
  /** The way back to all versions. */
  readonly back: ReactNode;
  readonly onDone: () => void;
}

/** One version, compared with the one before it or with the current one, whose fields it can replace. */
export function VersionComparison({ back, ...props }: VersionComparisonProps) {
  const { record, versions, isComplete, shown } = props;
  const queries = [
    useVersion(record.key, versions, shown),
    useVersion(record.key, versions, numberBefore(shown, versions, isComplete)),
    useVersion(record.key, versions, versions[0]?.version ?? null),
  ] as const;
  const [version, earlier, current] = queries.map(({ data }) => data);
  const failed = queries.find(({ error }) => error !== null);
  return (
    <div className={classes.comparison}>
      {back}
      {failed?.error ? (
        <LoadFailure
          error={failed.error}
          onRetry={() => void failed.refetch()}
          isRetrying={failed.isFetching}
        />
      ) : version === undefined || earlier === undefined || current === undefined ? (
        <Skeleton count={4} />
      ) : version === null || current === null ? (
        <p>{translate('missing')}</p>
      ) : (
        <Comparison {...props} version={version} earlier={earlier} current={current} />
      )}
    </div>
  );
}

/** Returns the number of the version before `shown`; null if that is the first one. */
function numberBefore(shown: number, versions: readonly ListedVersion[], isComplete: boolean): number | null {
  const index = versions.findIndex(({ version }) => version === shown);
  if (isComplete && index === versions.length - 1) return null;
  // Of a version that is not loaded yet, the one before has the number before.
  return (index === -1 ? undefined : versions[index + 1]?.version) ?? shown - 1;
}

interface ComparisonProps extends Pick<VersionComparisonProps, 'record' | 'onDone'> {
  readonly version: Version;
  /** Null for the first version. */
  readonly earlier: Version | null;
  readonly current: Version;
}

function Comparison({ record, version, earlier, current, onDone }: ComparisonProps) {
  const { user } = useSession();
  // Links to a version mean what it changed; of a deleted record, what would come back.
  const [chosen, choose] = useState<'earlier' | 'current' | null>(null);
  const isDeleted = record.state?.isDeleted === true;
  const isCurrent = version.version === current.version;
  const other = isCurrent || earlier === null ? null : (chosen ?? (isDeleted ? 'current' : 'earlier'));
  return (
    <>
      <div className={classes.header}>
        <h3>{translate('version', { version: version.version })}</h3>
        <p className={classes.author}>
          {actorName(version.actor, user.id)} · <RelativeTime value={version.timestamp} />
        </p>
      </div>
      {other === null ? null : (
        <div className={classes.choice}>
          <span aria-hidden>{translate('compare')}</span>
          <SegmentedControl
            label={translate('compare')}
            value={other}
            onChange={choose}
            options={[
              { id: 'earlier', title: translate('compare.earlier') },
              { id: 'current', title: translate(isDeleted ? 'compare.last' : 'compare.current') },
            ]}
          />
        </div>
      )}
      {isCurrent || other === 'earlier' ? (
        <Changes record={record} earlier={earlier} version={version} />
      ) : (
        <Suspense fallback={<Skeleton count={4} />}>
          <Restoration record={record} then={version} now={current} onDone={onDone} />
        </Suspense>
      )}
    </>
  );
}

interface ChangesProps {
  readonly record: HistoryRecord;
  /** Null for the first version. */
  readonly earlier: Version | null;
  readonly version: Version;
}

/** Shows what a version changed. */
function Changes({ record: { key, fieldsOf }, earlier, version }: ChangesProps) {
  const fields = fieldsOf(earlier === null ? [version] : [earlier, version]);
  if (earlier === null) return <Content fields={fields} version={version} />;
  const changes = shownChanges(fields, earlier, version);
  if (changes.length === 0) return <UnshownChanges recordKey={key} version={version.version} />;
  return (
    <ChangeList
      changes={changes}
      fields={fields}
      before={translate('side.then', { version: earlier.version })}
      after={translate('side.then', { version: version.version })}
    />
  );
}

/** Shows the content of the first version. */
function Content({ fields, version }: { readonly fields: DraftFields; readonly version: Version }) {
  const items = changesBetween({}, version.data).flatMap(({ path, after }) => {
    const field = findField(fields, path);
    if (field === null) return [];
    const { label, format } = field;
    return [{ term: label, value: <LongText text={format(after)} label={label} /> }];
  });
  return (
    <>
      <p>{translate('created')}</p>
      <DescriptionList items={items} />
    </>
  );
}
