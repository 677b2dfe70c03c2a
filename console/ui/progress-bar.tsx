import { ProgressBar as AriaProgressBar } from 'react-aria-components/ProgressBar';
import classes from './progress-bar.module.css';

interface ProgressBarProps {
  readonly label: string;
  readonly value: number;
  /** Default: 100. */
  readonly maxValue?: number;
  /** Default: the share in percent. */
  readonly valueText?: string;
  /** Only the bar is visible. */
  readonly isLabelHidden?: boolean;
}

/** Progress of work whose length is known. */
export function ProgressBar({ label, value, maxValue = 100, valueText, isLabelHidden }: ProgressBarProps) {
  return (
    <AriaProgressBar
      className={classes.progress ?? ''}
      aria-label={label}
      value={value}
      maxValue={maxValue}
      {...(valueText === undefined ? {} : { valueLabel: valueText })}
    >
      {({ percentage, valueText: shown }) => (
        <>
          {isLabelHidden ? null : (
            <span className={classes.words} aria-hidden="true">
              <span className={classes.label}>{label}</span>
              <span className={classes.value}>{shown}</span>
            </span>
          )}
          <span className={classes.track}>
            <span className={classes.bar} style={{ width: `${percentage}%` }} />
          </span>
        </>
      )}
    </AriaProgressBar>
  );
}
