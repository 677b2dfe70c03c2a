import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import classes from './error-state.module.css';
import { Icon } from './icon.tsx';
import { uiTexts } from './texts.ts';

interface ErrorStateProps {
  /** The failure, such as "Forms could not be loaded". */
  readonly title: string;
  /** Advice on how to proceed. */
  readonly children: ReactNode;
  readonly requestId?: string | undefined;
  readonly onRetry?: () => void;
  readonly isRetrying?: boolean;
}

/** Takes the place of content that could not be loaded. */
export function ErrorState({ title, children, requestId, onRetry, isRetrying = false }: ErrorStateProps) {
  return (
    <div className={classes.state} role="alert">
      <Icon name="circle-alert" size={20} className={classes.icon} />
      <div className={classes.words}>
        <p className={classes.title}>{title}</p>
        <p className={classes.text}>{children}</p>
      </div>
      {onRetry === undefined ? null : (
        <Button icon="refresh-cw" onPress={onRetry} isPending={isRetrying}>
          {uiTexts.translate('error.retry')}
        </Button>
      )}
      {requestId === undefined ? null : (
        <p className={classes.request}>
          {uiTexts.translate('error.requestId')} <code>{requestId}</code>
          <CopyButton text={requestId} size="small" />
        </p>
      )}
    </div>
  );
}
