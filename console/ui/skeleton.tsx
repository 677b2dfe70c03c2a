import classes from './skeleton.module.css';
import { uiTexts } from './texts.ts';

interface SkeletonProps {
  /** Kind of the content that is loading: lines of text, rows of a table, fields of a form, or one block. */
  readonly shape?: 'text' | 'rows' | 'fields' | 'block';
  /** Number of lines, rows or fields. */
  readonly count?: number;
  /** Height of a block in px. */
  readonly height?: number;
}

/** Holds the place of content that is loading. It becomes visible after 200 ms. */
export function Skeleton({ shape = 'text', count = 3, height = 96 }: SkeletonProps) {
  const parts = Array.from({ length: shape === 'block' ? 1 : count }, (_, index) => index);
  return (
    <div className={classes.skeleton} data-shape={shape} role="status">
      <span className="visually-hidden">{uiTexts.translate('loading')}</span>
      {parts.map((part) => (
        <div key={part} className={classes.part} {...(shape === 'block' ? { style: { height } } : {})} />
      ))}
    </div>
  );
}
