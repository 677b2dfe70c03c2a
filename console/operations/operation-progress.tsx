import { ProgressBar } from '../ui/progress-bar.tsx';
import { type Operation, operationName, progressText } from './operation-name.ts';
import classes from './operation-progress.module.css';
import { operationTexts } from './texts.ts';

/** Progress of an operation that runs: a bar, or the number of processed items if their total is unknown. */
export function OperationProgress({ operation }: { readonly operation: Operation }) {
  const { status, done, total } = operation;
  if (status === 'queued')
    return <span className={classes.text}>{operationTexts.translate('status.queued')}</span>;
  const text = progressText(operation);
  if (total === null || total === 0) return <span className={classes.text}>{text}</span>;
  return (
    <div className={classes.progress}>
      <ProgressBar
        label={operationName(operation)}
        value={Math.min(done, total)}
        maxValue={total}
        valueText={text}
        isLabelHidden
      />
      <span className={classes.text}>{text}</span>
    </div>
  );
}
