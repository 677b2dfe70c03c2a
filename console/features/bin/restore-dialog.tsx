import restore from 'operation:deleted_records.restore';
import { useState } from 'react';
import { type schemas, TesseraError } from '../../../sdk/src/index.ts';
import { isMembers, type Members } from '../../drafts/json.ts';
import { ApiCallButton } from '../../forms/api-call/api-call-button.tsx';
import { useAction } from '../../forms/use-action.ts';
import { useVersions } from '../../history/use-versions.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate, useTenantQuery } from '../../session/use-tenant-query.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { texts } from './texts.ts';
import { fieldOf, membersWith } from './with-values.ts';

const { translate } = texts;

interface QuestionProps {
  readonly item: schemas.DeletedItem;
  readonly onClose: () => void;
}

interface RestoreDialogProps extends QuestionProps {
  readonly isOpen: boolean;
}

/** Asks before a deleted record is restored, and says what does not come back. */
export function RestoreDialog({ item, isOpen, onClose }: RestoreDialogProps) {
  return (
    <Dialog title={translate('restore.title', { title: item.title })} isOpen={isOpen} onClose={onClose}>
      <Trial item={item} onClose={onClose} />
    </Dialog>
  );
}

/** Asks the server what a restoration would do, before the user decides. */
function Trial({ item, onClose }: QuestionProps) {
  const { entity_type: entityType, key: entitySortKey } = item;
  const key = { entityType, entitySortKey };
  const trial = useTenantQuery(['bin', 'trial', entityType, entitySortKey], (api, options) =>
    api.deletedRecords.restore({ ...key, dry_run: true }, options),
  );
  const versions = useVersions(key);
  const error = trial.error ?? versions.error;
  if (error === null && (trial.data === undefined || versions.data === undefined))
    return <Skeleton count={2} />;
  const data = versions.data?.at(-1)?.data;
  const last = isMembers(data) ? data : {};
  const missing = error instanceof TesseraError ? missingFields(error, last) : [];
  if (error !== null && missing.length === 0) return <Banner tone="warning">{error.message}</Banner>;
  return (
    <Question
      item={item}
      last={last}
      lost={trial.data?.warnings.map(({ message }) => message) ?? []}
      missing={missing}
      onClose={onClose}
    />
  );
}

/** Returns the fields without which a restoration is refused, if only values are missing that history does not keep. */
function missingFields({ issues }: TesseraError, last: Members): readonly string[] {
  const fields = issues.map(({ field = '' }) => field);
  const isMissing = (field: string) =>
    field !== '' && !(field in restore.fields) && fieldOf(last, field).value === undefined;
  return fields.every(isMissing) ? fields : [];
}

interface Outcome {
  /** The last version. */
  readonly last: Members;
  /** Parts that do not come back, in sentences of the server. */
  readonly lost: readonly string[];
  /** Fields whose values the bin does not keep, such as secrets. */
  readonly missing: readonly string[];
}

function Question({ item, last, lost, missing, onClose }: QuestionProps & Outcome) {
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const api = useApi();
  const invalidate = useInvalidate();
  const request = {
    entityType: item.entity_type,
    entitySortKey: item.key,
    ...(missing.length === 0 ? {} : { changes: membersWith(last, values) }),
  };
  const { run, isPending } = useAction(async () => {
    await api.deletedRecords.restore(request);
    onClose();
    await invalidate();
    toasts.add({ title: translate('restored', { title: item.title }) });
  });
  const isComplete = missing.every((field) => (values.get(field) ?? '') !== '');
  return (
    <DialogForm
      text={translate('restore.text')}
      onSubmit={() => {
        if (isComplete) run();
      }}
      actions={
        <>
          <ApiCallButton operation={restore} body={request} />
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={!isComplete}>
            {translate('restore')}
          </Button>
        </>
      }
    >
      {lost.length === 0 ? null : <Banner tone="neutral">{lost.join(' ')}</Banner>}
      {missing.length === 0 ? null : <Banner tone="neutral">{translate('restore.missing')}</Banner>}
      {missing.map((field) => (
        <PasswordField
          key={field}
          label={fieldOf(last, field).title}
          value={values.get(field) ?? ''}
          onChange={(value) => setValues(new Map(values).set(field, value))}
          autoComplete="off"
        />
      ))}
    </DialogForm>
  );
}
