import { useState } from 'react';
import { fieldAt } from '../drafts/draft-fields.ts';
import { useSession } from '../session/session-context.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { actorName } from './actor-name.ts';
import type { HistoryRecord } from './history-record.ts';
import type { Version } from './restore-request.ts';
import { shownChanges } from './shown-changes.ts';
import { historyTexts } from './texts.ts';
import classes from './version-list.module.css';

const { translate } = historyTexts;
/** Versions that are shown at first, and with each press of the button. */
const STEP = 50;

interface VersionListProps {
  readonly record: HistoryRecord;
  /** In ascending order. */
  readonly versions: readonly Version[];
  /** Number of the version that is shown beside the list. */
  readonly shown?: number | undefined;
}

/** All versions of a record, the newest first, each with its author and what it changed. */
export function VersionList({ record, versions, shown: selected }: VersionListProps) {
  const [count, setCount] = useState(STEP);
  const { user } = useSession();
  const first = Math.max(0, versions.length - count);
  const shown = versions.slice(first).map((version, index) => ({
    version,
    earlier: versions[first + index - 1] ?? null,
    isCurrent: first + index === versions.length - 1,
  }));
  return (
    <>
      <ol className={classes.versions} reversed>
        {shown.reverse().map(({ version, earlier, isCurrent }) => (
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
            <p>{summaryOf(record, earlier, version)}</p>
            <p className={classes.author}>
              {actorName(version.actor, user.id)} · <RelativeTime value={version.timestamp} />
            </p>
          </li>
        ))}
      </ol>
      {first === 0 ? null : <Button onPress={() => setCount(count + STEP)}>{translate('more')}</Button>}
    </>
  );
}

/** Returns what a version changed, in one line. */
function summaryOf({ fields }: HistoryRecord, earlier: Version | null, version: Version): string {
  if (earlier === null) return translate('created');
  const labels = shownChanges(fields, earlier, version).map(({ path }) => fieldAt(fields, path).label);
  return labels.length === 0
    ? translate('unshown')
    : translate('changed', { fields: [...new Set(labels)].join(', ') });
}
