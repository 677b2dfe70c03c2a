import restore from 'operation:deleted_records.restore';
import { useState } from 'react';
import { TesseraError } from '../../sdk/src/index.ts';
import { ChangeList } from '../drafts/change-list.tsx';
import type { Change } from '../drafts/changes.ts';
import { ApiCallButton } from '../forms/api-call/api-call-button.tsx';
import { useAction } from '../forms/use-action.ts';
import { useApi, useSession } from '../session/session-context.tsx';
import { useInvalidate } from '../session/use-tenant-query.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { toasts } from '../ui/toasts.tsx';
import { actorName } from './actor-name.ts';
import type { HistoryRecord } from './history-drawer.tsx';
import { restoreRequest, type Version } from './restore-request.ts';
import { shownChanges } from './shown-changes.ts';
import { historyTexts } from './texts.ts';
import { useRestoreReason } from './use-restore-reason.ts';
import classes from './version-comparison.module.css';

const { translate } = historyTexts;

/** Members that are restored only if the user selects them, so that nothing starts to run by accident. */
const RUNNING_MEMBERS: readonly string[] = ['active', 'status'];

interface VersionComparisonProps {
  readonly record: HistoryRecord;
  /** In ascending order. */
  readonly versions: readonly Version[];
  /** Number of the version to compare. */
  readonly shown: number;
  readonly onDone: () => void;
}

/** One version, compared with the one before it or with the current one, whose fields it can replace. */
export function VersionComparison({ record, versions, shown, onDone }: VersionComparisonProps) {
  const { user } = useSession();
  const index = versions.findIndex(({ version }) => version === shown);
  const [version, earlier, current] = [versions[index], versions[index - 1], versions.at(-1)];
  const isCurrent = version === current;
  const [choice, setChoice] = useState<'earlier' | 'current'>('current');
  const other = isCurrent || earlier === undefined ? null : choice;
  return (
    <div className={classes.comparison}>
      <p>
        <TextLink href={record.hrefOf(true)}>{translate('all')}</TextLink>
      </p>
      {version === undefined || current === undefined ? (
        <p>{translate('missing')}</p>
      ) : (
        <>
          <div className={classes.header}>
            <h3>{translate('version', { version: shown })}</h3>
            <p className={classes.author}>
              {actorName(version.actor, user.id)} · <RelativeTime value={version.timestamp} />
            </p>
          </div>
          {other === null ? null : (
            <SegmentedControl
              label={translate('compare')}
              value={other}
              onChange={setChoice}
              options={[
                { id: 'current', title: translate('compare.current') },
                { id: 'earlier', title: translate('compare.earlier') },
              ]}
            />
          )}
          {isCurrent || other === 'earlier' ? (
            <Changes record={record} earlier={earlier ?? null} version={version} />
          ) : (
            <Restoration record={record} then={version} now={current} onDone={onDone} />
          )}
        </>
      )}
    </div>
  );
}

interface ChangesProps {
  readonly record: HistoryRecord;
  /** Null for the first version. */
  readonly earlier: Version | null;
  readonly version: Version;
}

/** Shows what a version changed. */
function Changes({ record: { fields }, earlier, version }: ChangesProps) {
  if (earlier === null) return <p>{translate('created')}</p>;
  const changes = shownChanges(fields, earlier, version);
  if (changes.length === 0) return <p>{translate('unshown')}</p>;
  return (
    <ChangeList
      changes={changes}
      fields={fields}
      before={translate('side.then', { version: earlier.version })}
      after={translate('side.then', { version: version.version })}
    />
  );
}

interface RestorationProps {
  readonly record: HistoryRecord;
  readonly then: Version;
  readonly now: Version;
  readonly onDone: () => void;
}

/** Shows how an older version differs from the current one, with the choice of the fields to restore. */
function Restoration({ record, then, now, onDone }: RestorationProps) {
  const { key, fields } = record;
  const api = useApi();
  const invalidate = useInvalidate();
  const reload = () => Promise.all([record.reload(), invalidate('history')]);
  const changes = shownChanges(fields, then, now);
  // What the user has chosen, so that changes that appear later are selected as usual.
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isChosen = (change: Change) =>
    choices.get(idOf(change)) ?? !RUNNING_MEMBERS.includes(change.path[0] ?? '');
  const paths = changes.filter(isChosen).map(({ path }) => path);
  const request = restoreRequest(key, { then, now, paths });
  const access = useRestoreReason();
  const { run, isPending } = useAction(async () => {
    const { version } = await api.deletedRecords.restore(request).catch(async (cause: unknown) => {
      // Somebody has changed the record: the user sees how, and can try again.
      if (cause instanceof TesseraError && cause.code === 'VERSION_CONFLICT') await reload();
      throw cause;
    });
    await reload();
    toasts.add({
      title: translate('restored', { version: then.version }),
      undo: async () => {
        const { fields: restored } = request;
        await api.deletedRecords.restore({
          ...key,
          version: now.version,
          expected_version: version,
          fields: restored,
        });
        await reload();
      },
    });
    onDone();
  });
  if (changes.length === 0) return <p>{translate('unshown')}</p>;
  return (
    <>
      <ChangeList
        changes={changes}
        fields={fields}
        before={translate('side.then', { version: then.version })}
        after={translate('side.now')}
        headingOf={(change, label) => (
          <Checkbox
            label={label}
            isSelected={isChosen(change)}
            onChange={(choice) => setChoices(new Map(choices).set(idOf(change), choice))}
            disabledReason={access}
            isReasonHidden
          />
        )}
      />
      <div className={classes.actions}>
        <ApiCallButton operation={restore} body={request} />
        <Button
          variant="primary"
          onPress={run}
          isPending={isPending}
          disabledReason={access ?? (paths.length === 0 ? translate('restore.none') : undefined)}
        >
          {translate('restore', { count: paths.length })}
        </Button>
      </div>
    </>
  );
}

/** Names of members may contain any letter. */
function idOf({ path }: Change): string {
  return JSON.stringify(path);
}
