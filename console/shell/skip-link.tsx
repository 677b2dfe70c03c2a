import classes from './skip-link.module.css';
import { shellTexts } from './texts.ts';

/** Id of the content that a frame surrounds. */
export const CONTENT_ID = 'content';

/** The first stop of the Tab key: a link past the frame, visible while it has the focus. */
export function SkipLink() {
  return (
    <a className={classes.link} href={`#${CONTENT_ID}`}>
      {shellTexts.translate('skip')}
    </a>
  );
}
