import { useEffect, useState } from 'react';
import type { ButtonSize } from './button.tsx';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';
import { IconButton } from './icon-button.tsx';
import { uiTexts } from './texts.ts';

/** How long the button says whether it has copied, in ms. */
const RESULT_MS = 2000;

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

/** Copies a text, and says whether the browser did. */
export function CopyButton({
  text,
  label,
  size = 'medium',
  isLabelVisible = false,
  autoFocus = false,
}: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), RESULT_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const resultText = result === null ? null : uiTexts.translate(`copy.${result}`);
  const name = resultText ?? label ?? uiTexts.translate('copy.copy');
  const icon = result === 'copied' ? 'check' : 'copy';
  const copy = () => void copyText(text).then((isCopied) => setResult(isCopied ? 'copied' : 'failed'));
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
        {resultText}
      </span>
    </>
  );
}
