import type { ReactNode } from 'react';
import type { schemas } from '../../sdk/src/index.ts';
import { DraftFrame } from '../drafts/draft-frame.tsx';
import { UndoButtons } from '../drafts/undo-buttons.tsx';
import type { Draft } from '../drafts/use-draft.ts';
import { OperationForm } from '../forms/operation-form.tsx';
import type { Form } from '../forms/use-form.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';

interface EntryFormProps<Value extends object> {
  readonly draft: Draft<Value>;
  readonly form: Form<schemas.EmailSettingsPatch>;
  readonly isNew: boolean;
  /** True if somebody else has deleted the entry: the button of the form adds it again. */
  readonly isDeleted: boolean;
  readonly texts: {
    /** Label of the button that adds a new entry. */
    readonly add: string;
    readonly save: string;
    readonly addAgain: string;
    /** Says that somebody else has deleted the entry. */
    readonly deleted: string;
    readonly discard: string;
  };
  readonly onDone: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

/** The form of an entry of the email settings, around its fields. */
export function EntryForm<Value extends object>(props: EntryFormProps<Value>) {
  const { draft, form, isNew, isDeleted, texts, onDone, children } = props;
  const discard = () => {
    draft.discard();
    onDone();
  };
  return (
    <DraftFrame draft={draft}>
      {isDeleted ? (
        <Banner
          tone="warning"
          isLive
          action={
            <Button size="small" onPress={discard}>
              {texts.discard}
            </Button>
          }
        >
          {texts.deleted}
        </Banner>
      ) : null}
      <OperationForm
        form={form}
        action={isNew ? texts.add : isDeleted ? texts.addAgain : texts.save}
        isKept
        secondary={isNew ? undefined : <UndoButtons draft={draft} />}
      >
        {children}
      </OperationForm>
    </DraftFrame>
  );
}
