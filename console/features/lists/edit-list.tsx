import replace from 'operation:lists.replace';
import { useMemo } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { UndoButtons } from '../../drafts/undo-buttons.tsx';
import { type Saved, useDraft } from '../../drafts/use-draft.ts';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { LIST, listFields } from './list-draft.ts';
import { ListFormFields } from './list-form-fields.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

interface EditListDrawerProps {
  readonly list: schemas.List;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer that changes a list. */
export function EditListDrawer({ list, isOpen, onClose }: EditListDrawerProps) {
  return (
    <Drawer title={translate('edit.title')} description={list.name} isOpen={isOpen} onClose={onClose}>
      <EditForm list={list} onDone={onClose} />
    </Drawer>
  );
}

function EditForm({ list, onDone }: { readonly list: schemas.List; readonly onDone: () => void }) {
  const { id } = list;
  const api = useApi();
  const invalidate = useInvalidate();
  const draft = useDraft({
    type: LIST,
    itemKey: id,
    saved: useMemo(() => bodyOf(list), [list]),
    read: async () => bodyOf(await api.lists.get(id)),
    fields: listFields(),
  });
  const form = useForm<schemas.ListReplace, Saved<schemas.IdReply> | null>({
    operation: replace,
    path: [id],
    call: () => draft.save((sent) => api.lists.replace(id, sent)),
    value: draft.value,
    onChange: draft.change,
    onDone: async (saved) => {
      if (saved === null) return;
      await invalidate('lists');
      toasts.add({ title: translate('saved', { name: draft.value.name }) });
      onDone();
    },
  });
  return (
    <DraftFrame draft={draft}>
      <OperationForm
        form={form}
        action={translate('edit.action')}
        isKept
        secondary={<UndoButtons draft={draft} />}
      >
        <ListFormFields form={form} />
      </OperationForm>
    </DraftFrame>
  );
}

/** Returns the body that stores a list as it is. */
function bodyOf({ name, description, version }: schemas.List): schemas.ListReplace {
  return { name, description, version };
}
