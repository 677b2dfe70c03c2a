import { useState } from 'react';
import { TesseraError } from '../../sdk/src/index.ts';
import { toasts } from '../ui/toasts.tsx';
import { failureText } from './failure-text.ts';

/** An action of a button. */
export interface Action {
  /** Runs the action. An error of the server is shown as a toast, others are thrown. */
  readonly run: () => void;
  readonly isPending: boolean;
}

/** Runs an action of a button, once at a time. */
export function useAction(act: () => Promise<void>): Action {
  const [isPending, setPending] = useState(false);
  const run = async () => {
    if (isPending) return;
    setPending(true);
    try {
      await act();
    } catch (cause) {
      if (!(cause instanceof TesseraError)) throw cause;
      toasts.add({ title: failureText(cause), tone: 'danger' });
    } finally {
      setPending(false);
    }
  };
  return { run: () => void run(), isPending };
}
