import classes from './changed-value.module.css';
import { draftTexts } from './texts.ts';

interface LongTextProps {
  readonly text: string;
  /** Name of the text for screen readers. */
  readonly label: string;
}

/** Texts with more characters or lines scroll. */
const MAX_CHARS = 600;
const MAX_LINES = 10;
/** Characters that are shown of a huge text: the browser would be busy with more for seconds. */
const SHOWN_CHARS = 50_000;

/** A text of any length: a long one scrolls, also by keyboard. */
export function LongText({ text, label }: LongTextProps) {
  if (text.length <= MAX_CHARS && text.split('\n', MAX_LINES + 1).length <= MAX_LINES)
    return (
      <span className={classes.plain} dir="auto">
        {text}
      </span>
    );
  return (
    <section
      className={`${classes.plain} ${classes.scroll}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards need the focus to scroll it.
      tabIndex={0}
      aria-label={draftTexts.translate('text.long', { label })}
      dir="auto"
    >
      {text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)} …` : text}
    </section>
  );
}
