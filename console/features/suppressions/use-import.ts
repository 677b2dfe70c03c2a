import importFile from 'operation:suppressions.import';
import { useState } from 'react';
import { type schemas, TesseraError } from '../../../sdk/src/index.ts';
import { failureText } from '../../forms/failure-text.ts';
import type { Operation } from '../../forms/operation.ts';
import { useAccessReason } from '../../forms/use-access-reason.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';

/** Longest upload, in ms: the server answers after the last row. */
const MAX_UPLOAD_MS = 12 * 60 * 60 * 1000;

/** An import: while its file is sent, and with its result. */
export type ImportState =
  | { readonly phase: 'sending'; readonly name: string; readonly sent: number; readonly total: number }
  | { readonly phase: 'done'; readonly name: string; readonly result: schemas.SuppressionImport }
  | { readonly phase: 'failed'; readonly name: string; readonly message: string };

/** The import of a file of suppressions. */
interface Import {
  readonly operation: Operation;
  /** Reason for which the user may not import; undefined if they may. */
  readonly disabledReason: string | undefined;
  /** The last import of this screen; null before the first. */
  readonly state: ImportState | null;
  readonly start: (file: File) => void;
  readonly dismiss: () => void;
}

/** Returns the import of the tenant of the URL. The server stores the rows while the file arrives. */
export function useImport(): Import {
  const api = useApi();
  const invalidate = useInvalidate();
  const disabledReason = useAccessReason(importFile);
  const [state, setState] = useState<ImportState | null>(null);
  const run = async (file: File) => {
    const { name } = file;
    setState({ phase: 'sending', name, sent: 0, total: file.size });
    // The type of a CSV file depends on the programs that are installed, and may be empty.
    const content = new Blob([file], { type: 'text/csv' });
    try {
      const { import_id } = await api.suppressions.import(content, {
        onProgress: (progress) => setState({ phase: 'sending', name, ...progress }),
        timeoutMs: MAX_UPLOAD_MS,
      });
      setState({ phase: 'done', name, result: await api.suppressions.getImport(import_id) });
    } catch (cause) {
      if (!(cause instanceof TesseraError)) throw cause;
      setState({ phase: 'failed', name, message: failureText(cause) });
    }
    await invalidate('suppressions');
  };
  return {
    operation: importFile,
    disabledReason,
    state,
    start: (file) => void run(file),
    dismiss: () => setState(null),
  };
}
