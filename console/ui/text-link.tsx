import type { ReactNode } from 'react';
import { Link } from 'react-aria-components/Link';
import { Icon } from './icon.tsx';
import classes from './text-link.module.css';
import { uiTexts } from './texts.ts';

interface TextLinkProps {
  /** A path of the console, or a URL. */
  readonly href: string;
  readonly children: ReactNode;
  /** Opens a new tab, for pages outside the console. */
  readonly isExternal?: boolean;
  /** Looks like the text around it until it is hovered or focused, for lists of links. */
  readonly isQuiet?: boolean;
}

/** A link in text. */
export function TextLink({ href, children, isExternal = false, isQuiet = false }: TextLinkProps) {
  return (
    <Link
      className={classes.link ?? ''}
      href={href}
      data-quiet={isQuiet || undefined}
      {...(isExternal ? { target: '_blank', rel: 'noreferrer' } : {})}
    >
      {children}
      {isExternal ? (
        <>
          <Icon name="arrow-up-right" size={14} className={classes.icon} />
          <span className="visually-hidden"> ({uiTexts.translate('link.newTab')})</span>
        </>
      ) : null}
    </Link>
  );
}
