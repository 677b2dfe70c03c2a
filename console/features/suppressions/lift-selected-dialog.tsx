import { BulkDialog } from '../../bulk-actions/bulk-dialog.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import type { BulkQuestion } from './bulk-question.ts';
import { texts } from './texts.ts';
import { useBulk } from './use-bulk.ts';

const { translate } = texts;

interface LiftSelectedDialogProps {
  readonly question: BulkQuestion;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Called with the id of the operation. */
  readonly onStarted: (operationId: string) => void;
}

/** Asks for a word before selected suppressions are lifted, because that cannot be undone. */
export function LiftSelectedDialog({ question, isOpen, onClose, onStarted }: LiftSelectedDialogProps) {
  const { operation, call } = useBulk();
  const invalidate = useInvalidate();
  const request = { action: 'delete', ...question.selection } as const;
  return (
    <BulkDialog
      title={translate('bulk.lift')}
      isOpen={isOpen}
      onClose={onClose}
      operation={operation}
      request={request}
      count={(options) => call({ ...request, dry_run: true }, options)}
      run={async (expected) => {
        const reply = await call({ ...request, expected_count: expected });
        if (reply.operation_id !== undefined) onStarted(reply.operation_id);
        void invalidate('suppressions');
      }}
      text={(count) => translate('bulk.lift.text', { count })}
      action={(count) => translate('bulk.lift.action', { count })}
      word={translate('bulk.word')}
    />
  );
}
