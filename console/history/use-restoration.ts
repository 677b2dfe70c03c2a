import { useState } from 'react';
import type { RestoredRecord, RestoreRecord } from '../../sdk/src/generated/schemas.ts';
import { TesseraError } from '../../sdk/src/index.ts';
import { useAction } from '../forms/use-action.ts';
import { useApi } from '../session/session-context.tsx';
import { useInvalidate } from '../session/use-tenant-query.ts';
import { toasts } from '../ui/toasts.tsx';
import type { HistoryRecord } from './history-record.ts';
import { historyTexts } from './texts.ts';

const { translate } = historyTexts;

/** Answer of the server to a restoration that it does not write. */
export type CheckResult = RestoredRecord | TesseraError;

/** The restoration of fields, as buttons run it. */
interface RestorationActions {
  readonly restore: () => void;
  readonly isRestoring: boolean;
  readonly check: () => void;
  readonly isChecking: boolean;
  /** The result of the last check of the same request; null if there is none. */
  readonly result: CheckResult | null;
}

/** Restores fields of a record that exists, or asks the server what that would do. `onDone` follows a restoration. */
export function useRestoration(
  { key, reload: reloadRecord }: HistoryRecord,
  request: RestoreRecord,
  onDone: () => void,
): RestorationActions {
  const api = useApi();
  const invalidate = useInvalidate();
  const reload = () => Promise.all([reloadRecord(), invalidate('history')]);
  const [checked, setChecked] = useState<{ readonly id: string; readonly result: CheckResult } | null>(null);
  const id = JSON.stringify(request);
  const { version: then = 0, expected_version: now = 0, fields = [] } = request;
  const restoration = useAction(async () => {
    const { version } = await api.deletedRecords.restore(request).catch(async (cause: unknown) => {
      // Somebody has changed the record: the user sees how, and can try again.
      if (cause instanceof TesseraError && cause.code === 'VERSION_CONFLICT') await reload();
      throw cause;
    });
    await reload();
    toasts.add({
      title: translate('restored', { version: then }),
      undo: async () => {
        await api.deletedRecords.restore({ ...key, version: now, expected_version: version, fields });
        await reload();
      },
    });
    onDone();
  });
  const check = useAction(async () => {
    try {
      setChecked({ id, result: await api.deletedRecords.restore({ ...request, dry_run: true }) });
    } catch (cause) {
      if (!(cause instanceof TesseraError)) throw cause;
      setChecked({ id, result: cause });
    }
  });
  return {
    restore: restoration.run,
    isRestoring: restoration.isPending,
    check: check.run,
    isChecking: check.isPending,
    result: checked?.id === id ? checked.result : null,
  };
}
