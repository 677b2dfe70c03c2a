import type { ReactNode } from 'react';
import { Link } from 'react-aria-components/Link';

interface PlainLinkProps {
  /** A path of the console, or a URL. */
  readonly href: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A link that looks as its caller's style sheet says, such as the row of a table. */
export function PlainLink({ href, className, children }: PlainLinkProps) {
  return (
    <Link className={className ?? ''} href={href}>
      {children}
    </Link>
  );
}
