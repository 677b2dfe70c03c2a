import { lazy, type ReactNode, Suspense } from 'react';
import classes from './draft-frame.module.css';
import { RestoredNotice } from './restored-notice.tsx';
import type { Draft } from './use-draft.ts';
import { useUndoKeys } from './use-undo-keys.ts';

const ConflictDialog = lazy(async () => ({
  default: (await import('./conflict-dialog.tsx')).ConflictDialog,
}));

interface DraftFrameProps<Value extends object> {
  readonly draft: Draft<Value>;
  /** The fields of the item. */
  readonly children: ReactNode;
}

/**
 * Surrounds the fields of a draft: the notice about restored changes, the keys of undo and redo, and the question when
 * others have changed the same.
 */
export function DraftFrame<Value extends object>({ draft, children }: DraftFrameProps<Value>) {
  const area = useUndoKeys(draft);
  const { question, fields } = draft;
  return (
    <div ref={area} className={classes.frame}>
      <RestoredNotice draft={draft} />
      {children}
      {question === null ? null : (
        <Suspense>
          <ConflictDialog {...question} fields={fields} />
        </Suspense>
      )}
    </div>
  );
}
