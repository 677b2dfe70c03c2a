import { type RefObject, useEffect, useRef } from 'react';

/** Handlers of the undo and redo keys. */
interface UndoActions {
  readonly undo: () => void;
  readonly redo: () => void;
}

/**
 * Runs `undo` and `redo` by their keys while the focus is in the returned element, or nowhere. The browser's own undo
 * reverts only text typed in the focused input, not changes by buttons or other views.
 */
export function useUndoKeys(actions: UndoActions): RefObject<HTMLDivElement | null> {
  const area = useRef<HTMLDivElement>(null);
  const current = useRef(actions);
  useEffect(() => {
    current.current = actions;
  });
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      const name = actionOf(event);
      const { target } = event;
      const isHere = target === document.body || (target instanceof Node && area.current?.contains(target));
      if (name === null || !isHere || event.defaultPrevented) return;
      event.preventDefault();
      current.current[name]();
    };
    // Before the components, which keep some keys for themselves.
    document.addEventListener('keydown', handle, true);
    return () => document.removeEventListener('keydown', handle, true);
  }, []);
  return area;
}

function actionOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): keyof UndoActions | null {
  if (!(ctrlKey || metaKey) || altKey) return null;
  if (key === 'y' && !shiftKey) return 'redo';
  if (key.toLowerCase() !== 'z') return null;
  return shiftKey ? 'redo' : 'undo';
}
