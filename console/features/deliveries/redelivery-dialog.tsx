import redeliver from 'operation:deliveries.redeliver';
import { BulkDialog } from '../../bulk-actions/bulk-dialog.tsx';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import type { DeliveryFilters, RedeliveryRun } from './redelivery.ts';
import { texts } from './texts.ts';

const { translate } = texts;

interface RedeliveryDialogProps {
  readonly filters: DeliveryFilters;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onStarted: (run: RedeliveryRun) => void;
}

/** Asks before deliveries are sent again, with their number. */
export function RedeliveryDialog({ filters, isOpen, onClose, onStarted }: RedeliveryDialogProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  return (
    <BulkDialog
      title={translate('ask.title')}
      isOpen={isOpen}
      onClose={onClose}
      operation={redeliver}
      request={{ filters }}
      count={(options) => api.deliveries.redeliver({ filters, dry_run: true }, options)}
      run={async (expected, count) => {
        await api.deliveries.redeliver({ filters, expected_count: expected });
        onStarted({ id: Date.now(), filters, count });
        void invalidate('deliveries');
      }}
      text={(count) => translate('ask.text', { count })}
      action={(count) => translate('ask.action', { count })}
    />
  );
}
