import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  /** Name of the block. */
  readonly label: string;
  /** Shows the name, which otherwise only screen readers say. */
  readonly isLabelVisible?: boolean;
  readonly code: string;
}

/** Several lines of code to read and to copy. Long lines scroll. */
export function CodeBlock({ label, isLabelVisible = false, code }: CodeBlockProps) {
  return (
    <div className={classes.block} dir="ltr">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards need the focus to scroll it. */}
      <section className={classes.scroll} tabIndex={0} aria-label={label}>
        <pre className={classes.code}>
          <code>{code}</code>
        </pre>
      </section>
      {isLabelVisible ? (
        <span className={classes.label} aria-hidden>
          {label}
        </span>
      ) : null}
      <div className={classes.copy}>
        <CopyButton text={code} isLabelVisible size="small" />
      </div>
    </div>
  );
}
