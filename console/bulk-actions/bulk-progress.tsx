import { useEffect, useRef } from 'react';
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
import { toasts } from '../ui/toasts.tsx';
import { bulkTexts } from './texts.ts';

const { translate } = bulkTexts;
/** Time between two readings of the operation, in ms. */
const POLL_MS = 1_000;

interface BulkProgressProps {
  readonly operationId: string;
  /** The records that it changes: first part of the key of their queries. */
  readonly records: string;
  readonly onDismiss: () => void;
}

/** Shows the progress of a bulk action above its list, then its result, which can mostly be undone. */
export function BulkProgress({ operationId, records, onDismiss }: BulkProgressProps) {
  const invalidate = useInvalidate();
  const { data: operation } = useTenantQuery(
    ['operations', operationId],
    (api, options) => api.longOperations.get(operationId, options),
    { pollMs: (each) => isRunning(each) && POLL_MS },
  );
  const hasEnded = operation !== undefined && !isRunning(operation);
  const reload = useRef(() => invalidate(records));
  useEffect(() => {
    if (hasEnded) void reload.current();
  }, [hasEnded]);
  if (operation === undefined) return null;
  if (!hasEnded)
    return (
      <Banner onDismiss={onDismiss} title={operationName(operation)}>
        <OperationProgress operation={operation} />
      </Banner>
    );
  return <Result operation={operation} onDismiss={onDismiss} />;
}

interface ResultProps {
  readonly operation: schemas.OperationDetail;
  readonly onDismiss: () => void;
}

function Result({ operation, onDismiss }: ResultProps) {
  const { id, status, counts, error, can_revert: canRevert } = operation;
  const api = useApi();
  const invalidate = useInvalidate();
  const pathOf = useTenantPath();
  const undo = useAction(async () => {
    await api.longOperations.revert(id, {});
    await invalidate('operations');
    toasts.add({ title: translate('undo.started') });
    onDismiss();
  });
  const { changed = 0, refused = 0 } = counts;
  const isDone = status === 'completed';
  return (
    <Banner
      tone={isDone ? (refused === 0 ? 'success' : 'warning') : 'danger'}
      title={translate(isDone ? 'done' : 'failed', { name: operationName(operation), count: changed })}
      isLive
      onDismiss={onDismiss}
      action={
        canRevert && changed > 0 ? (
          <Button size="small" icon="undo-2" onPress={undo.run} isPending={undo.isPending}>
            {uiTexts.translate('undo')}
          </Button>
        ) : undefined
      }
    >
      {error} {refused === 0 ? null : translate('refused', { count: refused })}{' '}
      <TextLink href={pathOf(`operations/${id}`)}>{translate('details')}</TextLink>
    </Banner>
  );
}
