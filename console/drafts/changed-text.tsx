import { lazy, Suspense, useMemo, useState } from 'react';
import { Button } from '../ui/button.tsx';
import classes from './changed-value.module.css';
import type { Sides } from './changed-value.tsx';
import { type TextPart, textParts } from './text-changes.ts';
import { draftTexts } from './texts.ts';

const { translate } = draftTexts;
// Only for texts that are HTML.
const HtmlFrame = lazy(async () => ({ default: (await import('../preview/html-frame.tsx')).HtmlFrame }));

interface ChangedTextProps {
  readonly before: string;
  readonly after: string;
  /** Name of the text for screen readers. */
  readonly label: string;
  readonly sides: Sides;
}

const HTML = /<(?:!doctype|html|body|table|div|p|h[1-6]|a|img|ul|ol|span|br|hr)\b/i;
/** Characters of unchanged text before and after each change. */
const CONTEXT_CHARS = 80;
/** Characters that are shown of a huge piece. */
const SHOWN_CHARS = 20_000;

/** The words in which two long texts differ. HTML can also be shown as pages, side by side. */
export function ChangedText({ before, after, label, sides }: ChangedTextProps) {
  const [isPage, setPage] = useState(false);
  const isHtml = HTML.test(before) || HTML.test(after);
  return (
    <div className={classes.block}>
      {isPage ? (
        <div className={`${classes.pages} ${classes.whole}`}>
          <Suspense>
            <Page html={before} side={sides.before} label={label} />
            <Page html={after} side={sides.after} label={label} />
          </Suspense>
        </div>
      ) : (
        <Words before={before} after={after} label={label} />
      )}
      {isHtml ? (
        <Button size="small" onPress={() => setPage(!isPage)}>
          {translate(isPage ? 'text.source' : 'text.page')}
        </Button>
      ) : null}
    </div>
  );
}

interface PageProps {
  readonly html: string;
  readonly side: string;
  readonly label: string;
}

function Page({ html, side, label }: PageProps) {
  return (
    <div className={classes.page}>
      <span className={classes.side}>{side}</span>
      <HtmlFrame html={html} title={`${label}, ${side}`} />
    </div>
  );
}

function Words({ before, after, label }: Omit<ChangedTextProps, 'sides'>) {
  const parts = useMemo(() => textParts(before, after), [before, after]);
  return (
    <section
      className={`${classes.text} ${classes.scroll} ${classes.whole}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards need the focus to scroll it.
      tabIndex={0}
      aria-label={translate('text.long', { label })}
      dir="auto"
    >
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity.
        <Piece key={index} part={part} isFirst={index === 0} isLast={index === parts.length - 1} />
      ))}
    </section>
  );
}

interface PieceProps {
  readonly part: TextPart;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function Piece({ part: { kind, text }, isFirst, isLast }: PieceProps) {
  if (kind === 'removed') return <del className={classes.removed}>{cut(text)}</del>;
  if (kind === 'added') return <ins className={classes.added}>{cut(text)}</ins>;
  const [start, end] = [isFirst ? 0 : CONTEXT_CHARS, isLast ? 0 : CONTEXT_CHARS];
  if (text.length <= start + end + CONTEXT_CHARS) return <span>{text}</span>;
  return (
    <span>
      {text.slice(0, start)}
      <span className={classes.skipped}> … </span>
      {end === 0 ? '' : text.slice(-end)}
    </span>
  );
}

function cut(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)} …` : text;
}
