import { useEffect, useRef, useState } from 'react';
import type { schemas } from '../../sdk/src/index.ts';
import { useAction } from '../forms/use-action.ts';
import { isRunning, operationName } from '../operations/operation-name.ts';
import { OperationProgress } from '../operations/operation-progress.tsx';
import { useApi } from '../session/session-context.tsx';
import { useInvalidate, useTenantQuery } from '../session/use-tenant-query.ts';
import { useTenantPath } from '../shell/tenant-path.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { uiTexts } from '../ui/texts.ts';
import { bulkTexts } from './texts.ts';

const { translate } = bulkTexts;
/** Time between two readings of the operation, in ms. */
const POLL_MS = 1_000;

interface BulkProgressProps {
  /** The operation of the bulk action. */
  readonly operationId: string;
  /** The records that it changes: first part of the key of their queries. */
  readonly records: string;
  readonly onDismiss: () => void;
}

/**
 * Shows the progress of a bulk action above its list, then its result. It can mostly be undone, which has progress and
 * a result, too.
 */
export function BulkProgress({ operationId, records, onDismiss }: BulkProgressProps) {
  const invalidate = useInvalidate();
  const [undoId, setUndoId] = useState<string | null>(null);
  const shownId = undoId ?? operationId;
  const { data: operation } = useTenantQuery(
    ['operations', shownId],
    (api, options) => api.longOperations.get(shownId, options),
    { pollMs: (each) => isRunning(each) && POLL_MS },
  );
  const endedId = operation === undefined || isRunning(operation) ? null : operation.id;
  const reload = useRef(() => invalidate(records));
  useEffect(() => {
    if (endedId !== null) void reload.current();
  }, [endedId]);
  if (operation === undefined) return null;
  if (endedId === null)
    return (
      <Banner onDismiss={onDismiss} title={operationName(operation)}>
        <OperationProgress operation={operation} />
      </Banner>
    );
  return <Result operation={operation} onUndo={setUndoId} onDismiss={onDismiss} />;
}

interface ResultProps {
  readonly operation: schemas.OperationDetail;
  /** Called with the id of the operation that reverts this one. */
  readonly onUndo: (operationId: string) => void;
  readonly onDismiss: () => void;
}

function Result({ operation, onUndo, onDismiss }: ResultProps) {
  const { id, status, counts, error, can_revert: canRevert } = operation;
  const api = useApi();
  const invalidate = useInvalidate();
  const pathOf = useTenantPath();
  const undo = useAction(async () => {
    const { operation_id: undoId } = await api.longOperations.revert(id, {});
    if (undoId !== undefined) onUndo(undoId);
    await invalidate('operations');
  });
  // An operation that reverts another one has the second name of each.
  const { changed = 0, restored = 0, refused = 0, skipped = 0 } = counts;
  const [count, left] = [changed + restored, refused + skipped];
  const isDone = status === 'completed';
  return (
    <Banner
      tone={isDone ? (left === 0 ? 'success' : 'warning') : 'danger'}
      title={translate(isDone ? 'done' : 'failed', { name: operationName(operation), count })}
      isLive
      onDismiss={onDismiss}
      action={
        canRevert && count > 0 ? (
          <Button size="small" icon="undo-2" onPress={undo.run} isPending={undo.isPending}>
            {uiTexts.translate('undo')}
          </Button>
        ) : undefined
      }
    >
      {error} {left === 0 ? null : translate('left', { count: left })}{' '}
      <TextLink href={pathOf(`operations/${id}`)}>{translate('details')}</TextLink>
    </Banner>
  );
}
