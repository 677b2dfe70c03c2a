import importFile from 'operation:subscribers.import';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { TesseraError } from '../../../sdk/src/index.ts';
import { failureText } from '../../forms/failure-text.ts';
import { useAccessReason } from '../../forms/use-access-reason.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { toasts } from '../../ui/toasts.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
/** Longest upload, in ms. */
const MAX_UPLOAD_MS = 12 * 60 * 60 * 1000;

/** Handling of people who are subscribers already. */
export type ImportMode = 'insert' | 'upsert';

/** A file, and how it is imported. */
export interface ImportRequest {
  readonly file: File;
  readonly mode: ImportMode;
  /** A list that all of them join; null for none. */
  readonly listId: string | null;
  /** The system that exported the file, which is read as it is; null if `mapping` names the fields. */
  readonly source: 'listmonk' | 'mailchimp' | null;
  /** Fields by header. */
  readonly mapping: Readonly<Record<string, string | null>>;
}

/** The upload of a file. */
export interface Upload {
  /** Reason for which the user may not import; undefined if they may. */
  readonly disabledReason: string | undefined;
  /** Bytes that the server has; null if nothing is sent. */
  readonly progress: { readonly sent: number; readonly total: number } | null;
  /** Reason for which the last upload was refused; null if it was not. */
  readonly failure: string | null;
  readonly start: (request: ImportRequest) => void;
}

/** Sends a file. When the server has it, the page of its operation opens: the rows are imported meanwhile. */
export function useUpload(): Upload {
  const api = useApi();
  const router = useRouter();
  const pathOf = useTenantPath();
  const invalidate = useInvalidate();
  const disabledReason = useAccessReason(importFile);
  const [progress, setProgress] = useState<Upload['progress']>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const send = async ({ file, mode, listId, source, mapping }: ImportRequest) => {
    setFailure(null);
    setProgress({ sent: 0, total: file.size });
    // The type of a file depends on the programs that are installed, and may be empty.
    const content = new Blob([file], { type: 'text/csv' });
    const columns = source === null ? { mapping: JSON.stringify(mapping) } : { source };
    try {
      const { import_id: id } = await api.subscribers.import(content, {
        query: { mode, ...(listId === null ? {} : { list_id: listId }), ...columns },
        onProgress: setProgress,
        timeoutMs: MAX_UPLOAD_MS,
      });
      await invalidate('operations');
      toasts.add({ title: translate('started', { name: file.name }) });
      await router.navigate({ href: router.options.basepath + pathOf(`operations/${id}`) });
    } catch (cause) {
      if (!(cause instanceof TesseraError)) throw cause;
      setFailure(failureText(cause));
    } finally {
      setProgress(null);
    }
  };
  return { disabledReason, progress, failure, start: (request) => void send(request) };
}
