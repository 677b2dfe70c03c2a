import type { ReactNode } from 'react';
import { Link } from 'react-aria-components/Link';

interface PlainLinkProps {
  /** A path of the console, or a URL. */
  readonly href: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A link without styles of its own: the caller's style sheet decides, as in the row of a table. */
export function PlainLink({ href, className, children }: PlainLinkProps) {
  return (
    <Link className={className ?? ''} href={href}>
      {children}
    </Link>
  );
}
