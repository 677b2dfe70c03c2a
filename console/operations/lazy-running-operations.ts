import { lazyWhenIdle } from '../ui/when-idle.tsx';
import { operationTexts } from './texts.ts';

/** The running operations in the top bar; their code and texts are loaded when the page is idle. */
export const RunningOperations = lazyWhenIdle<{ readonly isOpen?: never }>(async () => {
  const [loaded] = await Promise.all([import('./running-operations.tsx'), operationTexts.load()]);
  return loaded.RunningOperations;
});
