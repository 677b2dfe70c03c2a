import restore from 'operation:deleted_records.restore';
import { useEffect, useState } from 'react';
import { type schemas, TesseraError } from '../../sdk/src/index.ts';
import { isMembers, type Members } from '../drafts/json.ts';
import { ApiCallButton } from '../forms/api-call/api-call-button.tsx';
import { useAction } from '../forms/use-action.ts';
import { useApi } from '../session/session-context.tsx';
import { useInvalidate } from '../session/use-tenant-query.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toasts } from '../ui/toasts.tsx';
import { historyTexts } from './texts.ts';
import { useVersions } from './use-versions.ts';
import { fieldOf, membersWith } from './with-values.ts';

const { translate } = historyTexts;

/** A deleted record. */
export type DeletedRecordItem = Pick<schemas.DeletedItem, 'entity_type' | 'key' | 'title'>;

interface RestoreProps {
  readonly item: DeletedRecordItem;
  /** The version to restore. Absent: the last one. */
  readonly version?: number | undefined;
  readonly onClose: () => void;
}

interface RestoreDialogProps extends RestoreProps {
  readonly isOpen: boolean;
}

/** Asks before a deleted record is restored, and says what does not come back. */
export function RestoreDialog({ isOpen, ...props }: RestoreDialogProps) {
  const { item, onClose } = props;
  return (
    <Dialog title={translate('deleted.title', { title: item.title })} isOpen={isOpen} onClose={onClose}>
      <RestorePreview {...props} />
    </Dialog>
  );
}

/** Result of a dry run. */
type DryRun = { readonly lost: readonly string[] } | { readonly error: TesseraError };

/** Asks the server what a restoration would do, before the user decides. */
function RestorePreview(props: RestoreProps) {
  const { item, version } = props;
  const key = { entityType: item.entity_type, entitySortKey: item.key };
  const dryRun = useDryRun(item, version);
  const error = dryRun !== null && 'error' in dryRun ? dryRun.error : null;
  const versions = useVersions(key, error !== null);
  // Only the first time: versions that are read again must not remove the fields that the user fills in.
  if (dryRun === null || (error !== null && !versions.isFetched)) return <Skeleton count={2} />;
  // Without the versions, which may be too large for one response, fields are called by their paths.
  const listed = versions.data?.pages.flat() ?? [];
  const shown = listed.find((each) => each.version === version) ?? listed[0];
  const data = shown?.data;
  const last = isMembers(data) ? data : {};
  const missing = error === null ? [] : missingFields(error, last);
  if (error !== null && missing.length === 0) return <Banner tone="warning">{error.message}</Banner>;
  return <RestoreForm {...props} last={last} lost={'lost' in dryRun ? dryRun.lost : []} missing={missing} />;
}

/** Runs a restoration once without writing anything; null until the server has answered. */
function useDryRun(
  { entity_type: entityType, key: entitySortKey }: DeletedRecordItem,
  version: number | undefined,
): DryRun | null {
  const api = useApi();
  const [result, setResult] = useState<DryRun | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const run = async () => {
      try {
        const body = {
          entityType,
          entitySortKey,
          ...(version === undefined ? {} : { version }),
          dry_run: true,
        };
        const { warnings } = await api.deletedRecords.restore(body, { signal });
        setResult({ lost: warnings.map(({ message }) => message) });
      } catch (cause) {
        if (signal.aborted) return;
        if (!(cause instanceof TesseraError)) throw cause;
        setResult({ error: cause });
      }
    };
    void run();
    return () => controller.abort();
  }, [api, entityType, entitySortKey, version]);
  return result;
}

/** Returns the fields without which a restoration is refused, if only values are missing that history does not keep. */
function missingFields({ issues }: TesseraError, last: Members): readonly string[] {
  const fields = issues.map(({ field = '' }) => field);
  const isMissing = (field: string) =>
    field !== '' && !(field in restore.fields) && fieldOf(last, field).value === undefined;
  return fields.every(isMissing) ? fields : [];
}

interface RestoreFormProps extends RestoreProps {
  /** The restored version. */
  readonly last: Members;
  /** Parts that do not come back, in sentences of the server. */
  readonly lost: readonly string[];
  /** Fields whose values the bin does not keep, such as secrets. */
  readonly missing: readonly string[];
}

function RestoreForm({ item, version, last, lost, missing, onClose }: RestoreFormProps) {
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const api = useApi();
  const invalidate = useInvalidate();
  const request = {
    entityType: item.entity_type,
    entitySortKey: item.key,
    ...(version === undefined ? {} : { version }),
    ...(missing.length === 0 ? {} : { changes: membersWith(last, values) }),
  };
  const { run, isPending } = useAction(async () => {
    const { warnings } = await api.deletedRecords.restore(request);
    onClose();
    await invalidate();
    toasts.add({ title: translate('deleted.restored', { title: item.title }) });
    // The dry run was refused for the missing values, so it could not say what does not come back.
    if (missing.length > 0) for (const { message } of warnings) toasts.add({ title: message });
  });
  const isComplete = missing.every((field) => (values.get(field) ?? '') !== '');
  return (
    <DialogForm
      text={
        version === undefined ? translate('deleted.text') : translate('deleted.text.version', { version })
      }
      onSubmit={() => {
        if (isComplete) run();
      }}
      actions={
        <>
          <ApiCallButton operation={restore} body={request} />
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={!isComplete}>
            {translate('deleted.restore')}
          </Button>
        </>
      }
    >
      {lost.length === 0 ? null : <Banner tone="neutral">{lost.join(' ')}</Banner>}
      {missing.length === 0 ? null : <Banner tone="neutral">{translate('deleted.missing')}</Banner>}
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
