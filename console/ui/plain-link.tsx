import type { ReactNode } from 'react';
import { Link } from 'react-aria-components/Link';

interface PlainLinkProps {
  /** A path of the console, or a URL. */
  readonly href: string;
  readonly className?: string | undefined;
  /** True in a navigation if the current screen is there. */
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

/** A link without styles of its own: the caller's style sheet decides, as in the row of a table. */
export function PlainLink({ href, className, isCurrent = false, children }: PlainLinkProps) {
  return (
    <Link className={className ?? ''} href={href} {...(isCurrent ? { 'aria-current': true } : {})}>
      {children}
    </Link>
  );
}
