import { type ReactNode, useState } from 'react';
import { TesseraError } from '../../sdk/src/index.ts';
import { ApiCallButton } from '../forms/api-call/api-call-button.tsx';
import type { Operation } from '../forms/operation.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TextField } from '../ui/text-field.tsx';
import { uiTexts } from '../ui/texts.ts';
import { bulkTexts } from './texts.ts';
import { type CountAction, type Counted, refusalOf, useDryRun } from './use-dry-run.ts';

const { translate } = bulkTexts;
const COUNT_CHANGED = 'COUNT_CHANGED';

interface BulkQuestion {
  /** The operation, for its API call. */
  readonly operation: Operation;
  /** The body without the members of a dry run; null while the user has not chosen enough. */
  readonly request: object | null;
  readonly count: CountAction;
  /** Runs the action on the number of records that the user was asked about. */
  readonly run: (expectedCount: number, count: number) => Promise<void>;
  /** Says what happens to this number of records. */
  readonly text: (count: number) => string;
  /** The button, such as "Send 1,204 again". */
  readonly action: (count: number) => string;
  /** A word that the user must type first, if the action cannot be undone. */
  readonly word?: string;
  /** Fields for what the action needs. */
  readonly children?: ReactNode;
  /** Says what to choose, while `request` is null. */
  readonly hint?: string;
  readonly onClose: () => void;
}

interface BulkDialogProps extends BulkQuestion {
  readonly title: string;
  readonly isOpen: boolean;
}

/** Asks before an action changes many records, with the numbers of a dry run. If they change, it asks again. */
export function BulkDialog({ title, isOpen, ...question }: BulkDialogProps) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={question.onClose}>
      <Question {...question} />
    </Dialog>
  );
}

/** Rendered only while the dialog is open, so that it counts each time. */
function Question(props: BulkQuestion) {
  const { operation, request, run, text, action, word, children, hint, onClose } = props;
  const { counted, countAgain, error, setError } = useDryRun(request, props.count);
  const [isPending, setPending] = useState(false);
  const [typed, setTyped] = useState('');
  const count = counted?.count ?? 0;
  const isAllowed = count > 0 && error === null && (word === undefined || typed.trim() === word);
  const submit = async () => {
    if (isPending || !isAllowed || counted === null) return;
    setPending(true);
    try {
      await run(counted.selected, count);
      // The button stays pending while the dialog closes: screen readers would announce it once more.
      onClose();
    } catch (cause) {
      setPending(false);
      if (!(cause instanceof TesseraError)) throw cause;
      if (cause.code === COUNT_CHANGED) await countAgain(count);
      else setError(refusalOf(cause));
    }
  };
  return (
    <DialogForm
      text={request === null ? hint : <Summary counted={counted} hasFailed={error !== null} text={text} />}
      onSubmit={() => void submit()}
      actions={
        <>
          {counted === null ? null : (
            <ApiCallButton operation={operation} body={{ ...request, expected_count: counted.selected }} />
          )}
          <Button onPress={onClose} autoFocus={word === undefined && children === undefined}>
            {uiTexts.translate('cancel')}
          </Button>
          <Button
            type="submit"
            variant={word === undefined ? 'primary' : 'danger'}
            isPending={isPending}
            isDisabled={!isAllowed}
          >
            {action(count)}
          </Button>
        </>
      }
    >
      {children}
      {error === null ? null : (
        <Banner tone="warning" isLive>
          {error}
        </Banner>
      )}
      {counted === null || counted.before === null || counted.before === count ? null : (
        <Banner tone="warning" isLive>
          {translate('changed', { before: counted.before, count })}
        </Banner>
      )}
      {counted?.skipped.map(({ reason, count: left }) => (
        <Banner key={reason} tone="neutral">
          {translate(`skipped.${reason}`, { count: left })}
        </Banner>
      ))}
      {word === undefined || count === 0 ? null : (
        <TextField
          label={uiTexts.translate('confirm.word', { word })}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          spellCheck="false"
        />
      )}
    </DialogForm>
  );
}

interface SummaryProps extends Pick<BulkQuestion, 'text'> {
  readonly counted: Counted | null;
  readonly hasFailed: boolean;
}

/** Says how many records are changed, once they are counted. */
function Summary({ counted, hasFailed, text }: SummaryProps) {
  if (counted === null) return hasFailed ? null : <Skeleton count={1} />;
  return counted.count === 0 ? translate('none') : text(counted.count);
}
