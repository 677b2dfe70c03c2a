import { type ReactNode, useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { BulkProgress } from '../../bulk-actions/bulk-progress.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import type { BulkQuestion } from './bulk-question.ts';
import { useBulk } from './use-bulk.ts';

// After the rows: the dialogs need the components of forms.
const LiftDialog = lazyWhenIdle(async () => (await import('./lift-dialog.tsx')).LiftDialog);
const LiftSelectedDialog = lazyWhenIdle(
  async () => (await import('./lift-selected-dialog.tsx')).LiftSelectedDialog,
);

/** The lifting of one or many suppressions. */
interface Lifting {
  /** Reason for which the user may not lift; undefined if they may. */
  readonly disabledReason: string | undefined;
  /** Asks whether one is lifted. */
  readonly ask: (suppression: schemas.Suppression) => void;
  /** Asks whether the selected ones are lifted. */
  readonly askAll: (question: BulkQuestion) => void;
  readonly questions: ReactNode;
  /** The progress of the selected ones, and the result. */
  readonly progress: ReactNode;
}

/** Returns the actions that lift suppressions, with what they ask and show. */
export function useLifting(): Lifting {
  const { disabledReason } = useBulk();
  const [suppression, setSuppression] = useState<schemas.Suppression | null>(null);
  const [question, setQuestion] = useState<BulkQuestion | null>(null);
  const [asked, setAsked] = useState<'one' | 'selected' | null>(null);
  const [operationId, setOperationId] = useState<string | null>(null);
  const close = () => setAsked(null);
  return {
    disabledReason,
    ask: (one) => {
      setSuppression(one);
      setAsked('one');
    },
    askAll: (selected) => {
      setQuestion(selected);
      setAsked('selected');
    },
    questions: (
      <>
        {suppression === null ? null : (
          <LiftDialog suppression={suppression} isOpen={asked === 'one'} onClose={close} />
        )}
        {question === null ? null : (
          <LiftSelectedDialog
            question={question}
            isOpen={asked === 'selected'}
            onClose={close}
            onStarted={(id) => {
              setOperationId(id);
              question.clear();
            }}
          />
        )}
      </>
    ),
    progress:
      operationId === null ? null : (
        <BulkProgress
          key={operationId}
          operationId={operationId}
          records="suppressions"
          onDismiss={() => setOperationId(null)}
        />
      ),
  };
}
