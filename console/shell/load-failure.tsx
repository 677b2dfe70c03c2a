import { TesseraError } from '../../sdk/src/index.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { shellTexts } from './texts.ts';

interface LoadFailureProps {
  /** The failure, if it concerns a part of the page. */
  readonly title?: string;
  readonly error: Error;
  readonly onRetry: () => void;
  readonly isRetrying: boolean;
}

/** Takes the place of data that could not be read: what the server answered, or that there is no connection. */
export function LoadFailure({ title, error, onRetry, isRetrying }: LoadFailureProps) {
  const isAnswer = error instanceof TesseraError && error.status !== 0;
  return (
    <ErrorState
      title={title ?? shellTexts.translate('error.title')}
      requestId={isAnswer ? error.requestId : undefined}
      onRetry={onRetry}
      isRetrying={isRetrying}
    >
      {isAnswer ? error.message : shellTexts.translate('error.offline')}
    </ErrorState>
  );
}
