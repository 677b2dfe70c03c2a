import create from 'operation:lists.create';
import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { OperationForm } from '../../forms/operation-form.tsx';
import { UnitField } from '../../forms/unit-field.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { listRoute } from './index.ts';
import { listFields, NEW_LIST } from './list-draft.ts';
import { ListFormFields } from './list-form-fields.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
const EMPTY: Partial<schemas.ListCreate> = {};

interface CreateListDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer that creates a list. */
export function CreateListDrawer({ isOpen, onClose }: CreateListDrawerProps) {
  return (
    <Drawer title={translate('create.title')} isOpen={isOpen} onClose={onClose}>
      <CreateForm />
    </Drawer>
  );
}

function CreateForm() {
  const api = useApi();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const draft = useDraft({ ...NEW_LIST, saved: EMPTY, fields: listFields() });
  const form = useForm({
    operation: create,
    call: (body: schemas.ListCreate, once) => draft.save(() => api.lists.create(body, once)),
    value: draft.value,
    onChange: draft.set,
    onDone: async (saved) => {
      if (saved === null) return;
      await invalidate('lists');
      toasts.add({ title: translate('created.done', { name: draft.value.name ?? '' }) });
      await navigate({
        from: '/t/$tenant',
        to: listRoute.to,
        params: (before) => ({ ...before, listId: saved.reply.id }),
      });
    },
  });
  return (
    <DraftFrame draft={draft}>
      <OperationForm form={form} action={translate('create')} isKept>
        <ListFormFields form={form} />
        <UnitField form={form} />
      </OperationForm>
    </DraftFrame>
  );
}
