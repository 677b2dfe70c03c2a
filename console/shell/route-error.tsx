import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { TesseraError } from '../../sdk/src/index.ts';
import { Message } from './message.tsx';
import classes from './route-error.module.css';
import { shellTexts } from './texts.ts';

const { translate } = shellTexts;

/** The screen of a route whose data or code could not be loaded. */
export function RouteError({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isOffline = !(error instanceof TesseraError) || error.status === 0;
  const requestId = error instanceof TesseraError ? error.requestId : undefined;
  return (
    <Message
      title={translate('error.title')}
      text={isOffline ? translate('error.offline') : error.message}
      action={{ title: translate('error.retry'), onAction: () => void router.invalidate() }}
    >
      {requestId === undefined ? null : (
        <p className={classes.request}>{translate('error.request', { id: requestId })}</p>
      )}
    </Message>
  );
}
