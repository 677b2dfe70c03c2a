import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';

interface PlainButtonProps {
  readonly label?: string;
  readonly className?: string | undefined;
  readonly onPress?: () => void;
  /** Set if it shows and hides what follows: true while that is shown. */
  readonly isExpanded?: boolean;
  readonly children: ReactNode;
}

/** A button without styles of its own: the caller's class styles it, as in the top bar. */
export function PlainButton({ label, className, onPress, isExpanded, children }: PlainButtonProps) {
  return (
    <Button
      className={className ?? ''}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(onPress === undefined ? {} : { onPress })}
      {...(isExpanded === undefined ? {} : { 'aria-expanded': isExpanded })}
    >
      {children}
    </Button>
  );
}
