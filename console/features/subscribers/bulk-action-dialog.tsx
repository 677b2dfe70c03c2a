import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { BulkDialog } from '../../bulk-actions/bulk-dialog.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { TextField } from '../../ui/text-field.tsx';
import type { BulkQuestion } from './bulk-question.ts';
import { ListCheckboxes } from './list-choice.tsx';
import { texts } from './texts.ts';
import { useBulk } from './use-bulk.ts';

const { translate } = texts;

interface BulkActionDialogProps {
  readonly question: BulkQuestion;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Called with the id of the operation. */
  readonly onStarted: (operationId: string) => void;
}

/** The action of a bulk call, without the selection. */
type Action = Pick<schemas.SubscriberBulkAction, 'action' | 'lists' | 'active' | 'inactive_reason'>;

/** Asks before selected subscribers are changed: for what the action needs, and with their number. */
export function BulkActionDialog({ question, isOpen, onClose, onStarted }: BulkActionDialogProps) {
  const { action: name, selection } = question;
  const { operation, call } = useBulk();
  const invalidate = useInvalidate();
  const [lists, setLists] = useState<string[]>([]);
  const [reason, setReason] = useState('');
  const isOfLists = name === 'add_lists' || name === 'remove_lists';
  const action = actionOf(question, lists, reason.trim());
  const request = action === null ? null : { ...action, ...selection };
  return (
    <BulkDialog
      title={translate(`bulk.${name}`)}
      isOpen={isOpen}
      onClose={onClose}
      operation={operation}
      request={request}
      count={async (options) =>
        request === null ? { count: 0 } : call({ ...request, dry_run: true }, options)
      }
      run={async (expected) => {
        if (request === null) return;
        const reply = await call({ ...request, expected_count: expected });
        if (reply.operation_id !== undefined) onStarted(reply.operation_id);
        void invalidate('subscribers');
      }}
      text={(count) => translate(`bulk.${name}.text`, { count })}
      action={(count) => translate(`bulk.${name}.action`, { count })}
      {...(name === 'erase' ? { word: translate('bulk.word') } : {})}
      hint={translate(isOfLists ? 'bulk.hint.lists' : 'bulk.hint.reason')}
    >
      {isOfLists ? <ListCheckboxes value={lists} onChange={setLists} /> : null}
      {name === 'deactivate' ? (
        <TextField
          label={translate('reason')}
          help={translate('reason.help')}
          value={reason}
          onChange={setReason}
          isRequired
          autoFocus
        />
      ) : null}
    </BulkDialog>
  );
}

/** Returns the action; null while something that it needs is missing. */
function actionOf({ action }: BulkQuestion, lists: string[], reason: string): Action | null {
  if (action === 'erase') return { action };
  if (action === 'activate') return { action: 'set_active', active: true };
  if (action === 'deactivate')
    return reason === '' ? null : { action: 'set_active', active: false, inactive_reason: reason };
  return lists.length === 0 ? null : { action, lists };
}
