import { IconButton } from '../ui/icon-button.tsx';
import { draftTexts } from './texts.ts';
import type { Draft } from './use-draft.ts';

const { translate } = draftTexts;

interface UndoButtonsProps {
  readonly draft: Pick<Draft<object>, 'undo' | 'redo' | 'canUndo' | 'canRedo'>;
}

/** Undo and redo, as soon as there is something to undo. */
export function UndoButtons({ draft }: UndoButtonsProps) {
  const { canUndo, canRedo, undo, redo } = draft;
  if (!canUndo && !canRedo) return null;
  return (
    <>
      <IconButton icon="undo-2" label={translate('undo')} keys="Mod+Z" isDisabled={!canUndo} onPress={undo} />
      <IconButton
        icon="redo-2"
        label={translate('redo')}
        keys="Mod+Shift+Z"
        isDisabled={!canRedo}
        onPress={redo}
      />
    </>
  );
}
