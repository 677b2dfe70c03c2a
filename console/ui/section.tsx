import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

interface SectionProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons at the end of the title. */
  readonly actions?: ReactNode;
  /** `beside` puts the heading on the left of its content where there is room, for groups of settings. */
  readonly heading?: 'above' | 'beside';
  readonly children: ReactNode;
}

/** A part of a page with a heading of the second level. */
export function Section({ title, description, actions, heading = 'above', children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id} data-heading={heading}>
      <header className={classes.header}>
        <div className={classes.words}>
          <h2 id={id} className={classes.title}>
            {title}
          </h2>
          {description === undefined ? null : <p className={classes.description}>{description}</p>}
        </div>
        {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
      </header>
      <div className={classes.content}>{children}</div>
    </section>
  );
}
