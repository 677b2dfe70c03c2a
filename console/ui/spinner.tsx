import { ProgressBar } from 'react-aria-components/ProgressBar';
import classes from './spinner.module.css';
import { uiTexts } from './texts.ts';

interface SpinnerProps {
  /** Name of the work in progress. Default: "Loading". */
  readonly label?: string;
  /** Width and height in px. Default: 16. */
  readonly size?: number;
}

/** Progress of unknown length. Prefer a {@link Skeleton} where content will appear. */
export function Spinner({ label, size = 16 }: SpinnerProps) {
  return (
    <ProgressBar
      className={classes.spinner ?? ''}
      isIndeterminate
      aria-label={label ?? uiTexts.translate('loading')}
    >
      <svg width={size} height={size} viewBox="0 0 16 16" fill="none" strokeWidth="2" aria-hidden="true">
        <circle className={classes.track} cx="8" cy="8" r="6.5" />
        <path d="M8 1.5A6.5 6.5 0 0 1 14.5 8" strokeLinecap="round" />
      </svg>
    </ProgressBar>
  );
}
