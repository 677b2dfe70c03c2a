import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { UndoButtons } from '../../drafts/undo-buttons.tsx';
import { useSettingsForm } from '../../email-settings/use-settings-form.ts';
import { OperationForm } from '../../forms/operation-form.tsx';
import { Section } from '../../ui/section.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { AddType } from './add-type.tsx';
import { DeleteQuestion } from './delete-question.tsx';
import { subscriptionsRoute } from './index.ts';
import { PreferencePreview } from './preference-preview.tsx';
import { nameOf, newType, typeFields, typesOf } from './subscription-types.ts';
import { texts } from './texts.ts';
import { TypeList } from './type-list.tsx';
import classes from './types-form.module.css';

const { translate } = texts;

/** Name of the types among drafts. */
export const TYPES = 'subscription_types';

/** The types as a list in order, and beside it the page that they make. */
export function TypesForm({ settings }: { readonly settings: schemas.EmailSettings }) {
  const { edit } = subscriptionsRoute.useSearch();
  const navigate = useNavigate({ from: subscriptionsRoute.fullPath });
  const [asked, setAsked] = useState<schemas.SubscriptionType | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [added, setAdded] = useState<string | null>(null);
  const saved = settings.subscription_types;
  const { draft, form } = useSettingsForm({
    settings,
    name: TYPES,
    partOf: typesOf,
    fields: typeFields(saved),
    savedText: translate('saved'),
  });
  const types = draft.value.subscription_types;
  const set = (next: schemas.SubscriptionType[]) => {
    // Messages name types by their position.
    form.forget(TYPES);
    form.change(() => ({ subscription_types: next }));
  };
  const open = (id: string | undefined) =>
    void navigate({ search: id === undefined ? {} : { edit: id }, replace: true, resetScroll: false });
  const add = (name: string) => {
    const taken = [...types, ...saved].map(({ id }) => id);
    const type = newType(name, taken);
    set([...types, type]);
    setAdded(type.id);
    open(type.id);
  };
  const isSaved = ({ id }: schemas.SubscriptionType) => saved.some((each) => each.id === id);
  const ask = (type: schemas.SubscriptionType) => {
    setAsked(type);
    setAsking(true);
  };
  const remove = (type: schemas.SubscriptionType) => {
    set(types.filter((each) => each.id !== type.id));
    setAsking(false);
    if (isSaved(type)) toasts.add({ title: translate('deleted', { name: nameOf(type) }) });
  };
  return (
    <div className={classes.columns}>
      <Section title={translate('types')} description={translate('types.text')}>
        <DraftFrame draft={draft}>
          <OperationForm
            form={form}
            action={translate('save')}
            isKept
            secondary={<UndoButtons draft={draft} />}
          >
            <TypeList
              form={form}
              types={types}
              openId={edit}
              addedId={added}
              onChange={set}
              onOpen={open}
              onDelete={(type) => (isSaved(type) ? ask(type) : remove(type))}
            />
            <AddType isDisabled={form.disabledReason !== undefined} onAdd={add} />
          </OperationForm>
        </DraftFrame>
      </Section>
      <PreferencePreview types={types} />
      <DeleteQuestion type={asked} isOpen={isAsking} onConfirm={remove} onClose={() => setAsking(false)} />
    </div>
  );
}
