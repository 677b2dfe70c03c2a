import { useEffect, useState } from 'react';
import type { ButtonSize } from './button.tsx';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { uiTexts } from './texts.ts';

/** How long the button confirms that it has copied, in ms. */
const CONFIRMATION_MS = 2000;

interface CopyButtonProps {
  /** The text for the clipboard. */
  readonly text: string;
  /** Name of the button. Default: "Copy". */
  readonly label?: string;
  readonly size?: ButtonSize;
  /** Shows the name beside the icon. */
  readonly isLabelVisible?: boolean;
  readonly autoFocus?: boolean;
}

/** Copies a text and confirms it. */
export function CopyButton({
  text,
  label,
  size = 'medium',
  isLabelVisible = false,
  autoFocus = false,
}: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copied = uiTexts.translate('copy.copied');
  const name = isCopied ? copied : (label ?? uiTexts.translate('copy.copy'));
  const icon = isCopied ? 'check' : 'copy';
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <>
      {isLabelVisible ? (
        <Button icon={icon} size={size} onPress={copy} autoFocus={autoFocus}>
          {name}
        </Button>
      ) : (
        <IconButton icon={icon} label={name} size={size} onPress={copy} />
      )}
      <span className="visually-hidden" aria-live="polite">
        {isCopied ? copied : ''}
      </span>
    </>
  );
}
