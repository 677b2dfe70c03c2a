import { Focusable } from 'react-aria-components/Focusable';
import { formatExactly } from '../texts/formats.ts';
import classes from './moment.module.css';
import { Tooltip } from './tooltip.tsx';

interface MomentProps {
  readonly date: Date;
  readonly text: string;
}

/** A time with the exact one, in the user's zone and in UTC, on hover and focus. */
export function Moment({ date, text }: MomentProps) {
  return (
    <Tooltip text={formatExactly(date)}>
      <Focusable>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time has to be within reach of the keyboard */}
        <time className={classes.moment} dateTime={date.toISOString()} tabIndex={0}>
          {text}
        </time>
      </Focusable>
    </Tooltip>
  );
}
