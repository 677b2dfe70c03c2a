import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { type DraftFields, fieldAt } from './draft-fields.ts';
import type { Conflict, Path, Side } from './merge.ts';
import { draftTexts } from './texts.ts';
import type { DraftQuestion } from './use-draft.ts';

const { translate } = draftTexts;

interface ConflictDialogProps extends DraftQuestion {
  readonly fields: DraftFields;
}

/** Asks which value to save of each field that the user and somebody else have changed. */
export function ConflictDialog({ conflicts, fields, answer }: ConflictDialogProps) {
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const isComplete = conflicts.every(({ path }) => choices.has(idOf(path)));
  const choose = (path: Path, side: Side) => setChoices(new Map(choices).set(idOf(path), side));
  const save = () => {
    if (isComplete) answer(({ path }) => choices.get(idOf(path)) ?? 'theirs');
  };
  return (
    <Dialog title={translate('conflict.title')} isOpen onClose={() => answer(null)}>
      <DialogForm
        text={translate('conflict.text')}
        onSubmit={save}
        actions={
          <>
            <Button onPress={() => answer(null)}>{translate('conflict.back')}</Button>
            <Button
              type="submit"
              variant="primary"
              disabledReason={isComplete ? undefined : translate('conflict.missing')}
            >
              {translate('conflict.save')}
            </Button>
          </>
        }
      >
        {conflicts.map((conflict) => (
          <ConflictField
            key={idOf(conflict.path)}
            conflict={conflict}
            fields={fields}
            choice={choices.get(idOf(conflict.path)) ?? null}
            onChoose={(side) => choose(conflict.path, side)}
          />
        ))}
      </DialogForm>
    </Dialog>
  );
}

interface ConflictFieldProps {
  readonly conflict: Conflict;
  readonly fields: DraftFields;
  readonly choice: Side | null;
  readonly onChoose: (side: Side) => void;
}

function ConflictField({ conflict, fields, choice, onChoose }: ConflictFieldProps) {
  const { label, format } = fieldAt(fields, conflict.path);
  return (
    <RadioGroup
      label={label}
      help={translate('conflict.before', { value: format(conflict.base) })}
      value={choice}
      onChange={onChoose}
      options={[
        { id: 'mine', title: translate('conflict.mine'), description: format(conflict.mine) },
        { id: 'theirs', title: translate('conflict.theirs'), description: format(conflict.theirs) },
      ]}
    />
  );
}

/** Names of members may contain any letter. */
function idOf(path: Path): string {
  return JSON.stringify(path);
}
