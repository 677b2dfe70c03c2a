import restore from 'operation:deleted_records.restore';
import { useState } from 'react';
import { TesseraError } from '../../sdk/src/index.ts';
import { ChangeList } from '../drafts/change-list.tsx';
import type { Change } from '../drafts/changes.ts';
import { type DraftFields, fieldAt } from '../drafts/draft-fields.ts';
import { ApiCallButton } from '../forms/api-call/api-call-button.tsx';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import type { HistoryRecord } from './history-record.ts';
import { RestoreButton } from './restore-button.tsx';
import { restoreRequest, type Version } from './restore-request.ts';
import { shownChanges } from './shown-changes.ts';
import { historyTexts } from './texts.ts';
import { type CheckResult, useRestoration } from './use-restoration.ts';
import { useRestoreReason } from './use-restore-reason.ts';
import classes from './version-comparison.module.css';

const { translate } = historyTexts;

/** Members that are restored only if the user selects them, so that nothing starts to run by accident. */
const RUNNING_MEMBERS: readonly string[] = ['active', 'status'];

interface RestorationProps {
  readonly record: HistoryRecord;
  readonly then: Version;
  /** The newest version. */
  readonly now: Version;
  readonly onDone: () => void;
}

/** Shows how an older version differs from the newest one, and what can be restored of it. */
export function Restoration({ record, then, now, onDone }: RestorationProps) {
  const { key, name, state } = record;
  const fields = record.fieldsOf([then, now]);
  const changes = shownChanges(fields, then, now);
  if (changes.length === 0) return <p>{translate('unshown')}</p>;
  const refusal = state?.refusal ?? null;
  const isDeleted = state?.isDeleted === true;
  if (refusal === null && !isDeleted)
    return <Choice record={record} then={then} now={now} fields={fields} changes={changes} onDone={onDone} />;
  return (
    <>
      {refusal === null ? null : <Banner tone="neutral">{translate(`refusal.${refusal}`)}</Banner>}
      <ChangeList
        changes={changes}
        fields={fields}
        before={translate('side.then', { version: then.version })}
        after={isDeleted ? translate('side.then', { version: now.version }) : translate('side.now')}
      />
      {refusal === null ? (
        <RestoreButton
          item={{ entity_type: key.entityType, key: key.entitySortKey, title: name }}
          version={then.version}
        />
      ) : null}
    </>
  );
}

interface ChoiceProps extends RestorationProps {
  readonly fields: DraftFields;
  readonly changes: readonly Change[];
}

/** The choice of the fields to restore. */
function Choice({ record, then, now, fields, changes, onDone }: ChoiceProps) {
  const { key, state } = record;
  // What the user has chosen, so that changes that appear later are selected as usual.
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const canRestore = ({ path: [name = ''] }: Change) => state?.restorableFields?.includes(name) ?? true;
  const isChosen = (change: Change) =>
    canRestore(change) && (choices.get(idOf(change)) ?? !RUNNING_MEMBERS.includes(change.path[0] ?? ''));
  const paths = changes.filter(isChosen).map(({ path }) => path);
  // The reply names whole members, such as "target"; people know the fields that they have selected.
  const labelOf = (member: string) => {
    const labels = paths.filter(([name]) => name === member).map((path) => fieldAt(fields, path).label);
    return labels.length === 0 ? member : labels.join(', ');
  };
  const request = restoreRequest(key, { then, now, paths });
  const access = useRestoreReason();
  const { restore: run, isRestoring, check, isChecking, result } = useRestoration(record, request, onDone);
  const reason = access ?? (paths.length === 0 ? translate('restore.none') : undefined);
  return (
    <>
      <ChangeList
        changes={changes}
        fields={fields}
        before={translate('side.then', { version: then.version })}
        after={translate('side.now')}
        headingOf={(change, label) =>
          canRestore(change) ? (
            <Checkbox
              label={label}
              isSelected={isChosen(change)}
              onChange={(choice) => setChoices(new Map(choices).set(idOf(change), choice))}
              disabledReason={access}
              isReasonHidden
            />
          ) : null
        }
      />
      {result === null ? null : <Result result={result} labelOf={labelOf} />}
      <div className={classes.actions}>
        <ApiCallButton operation={restore} body={request} />
        <div className={classes.buttons}>
          <Button onPress={check} isPending={isChecking} disabledReason={reason}>
            {translate('check')}
          </Button>
          <Button variant="primary" onPress={run} isPending={isRestoring} disabledReason={reason}>
            {translate('restore', { count: paths.length })}
          </Button>
        </div>
      </div>
    </>
  );
}

interface ResultProps {
  readonly result: CheckResult;
  /** Returns what people call a member of the record. */
  readonly labelOf: (member: string) => string;
}

/** Says what a restoration would do, or why it would be refused. */
function Result({ result, labelOf }: ResultProps) {
  if (result instanceof TesseraError) {
    const issues = result.issues.map(({ field, message }) => [field, message].filter(Boolean).join(' '));
    return (
      <Banner tone="warning" isLive title={result.message}>
        {issues.length === 0 ? undefined : issues.join(' · ')}
      </Banner>
    );
  }
  const { version, changed_fields, warnings } = result;
  const text =
    changed_fields.length === 0
      ? translate('check.same')
      : translate('check.ok', { version, fields: changed_fields.map(labelOf).join(', ') });
  return (
    <Banner tone="success" isLive>
      {[text, ...warnings.map(({ message }) => message)].join(' ')}
    </Banner>
  );
}

/** Names of members may contain any letter. */
function idOf({ path }: Change): string {
  return JSON.stringify(path);
}
