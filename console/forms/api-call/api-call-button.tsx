import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { Operation } from '../operation.ts';
import { formTexts } from '../texts.ts';
import { credentialOf } from './api-call.ts';

const ApiCallDrawer = lazy(async () => ({ default: (await import('./api-call-drawer.tsx')).ApiCallDrawer }));

interface ApiCallButtonProps {
  readonly operation: Operation;
  /** Values of the parameters of the path, in order. */
  readonly path?: readonly string[];
  /** The JSON body, for operations that take one. */
  readonly body?: object;
}

/** Shows what an action would send, for people who want to do it by program. Some operations are for browsers only. */
export function ApiCallButton({ operation, path = [], body }: ApiCallButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  if (credentialOf(operation) === null) return null;
  const open = () => {
    setLoaded(true);
    setOpen(true);
  };
  return (
    <>
      <Button variant="quiet" icon="code" onPress={open}>
        {formTexts.translate('call.open')}
      </Button>
      {isLoaded ? (
        <Suspense>
          <ApiCallDrawer
            operation={operation}
            path={path}
            body={body}
            isOpen={isOpen}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
