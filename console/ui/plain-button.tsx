import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';

interface PlainButtonProps {
  readonly label?: string;
  readonly className?: string | undefined;
  readonly onPress?: () => void;
  readonly children: ReactNode;
}

/** A button without styles of its own: the caller's class styles it. For the frame, such as the top bar. */
export function PlainButton({ label, className, onPress, children }: PlainButtonProps) {
  return (
    <Button
      className={className ?? ''}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(onPress === undefined ? {} : { onPress })}
    >
      {children}
    </Button>
  );
}
