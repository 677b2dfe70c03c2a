import create from 'operation:suppressions.create';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { NEW_SUPPRESSION, suppressionFields } from './suppression-draft.ts';
import { CAUSES, typeTitle } from './suppression-types.ts';
import { texts } from './texts.ts';

const { translate } = texts;
const EMPTY: Partial<schemas.SuppressionCreate> = { type: 'unsubscribe' };

interface AddSuppressionDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer that suppresses an address. */
export function AddSuppressionDrawer({ isOpen, onClose }: AddSuppressionDrawerProps) {
  return (
    <Drawer title={translate('add.title')} isOpen={isOpen} onClose={onClose}>
      <AddForm onDone={onClose} />
    </Drawer>
  );
}

function AddForm({ onDone }: { readonly onDone: () => void }) {
  const api = useApi();
  const invalidate = useInvalidate();
  const draft = useDraft({ ...NEW_SUPPRESSION, saved: EMPTY, fields: suppressionFields() });
  const form = useForm({
    operation: create,
    call: (body: schemas.SuppressionCreate, once) => draft.save(() => api.suppressions.create(body, once)),
    value: draft.value,
    onChange: draft.set,
    onDone: async (saved) => {
      if (saved === null) return;
      await invalidate('suppressions');
      toasts.add({ title: translate('added', { address: saved.reply.recipient }) });
      onDone();
    },
  });
  return (
    <DraftFrame draft={draft}>
      <OperationForm form={form} action={translate('add')} isKept>
        <FormField form={form} name="recipient" label={translate('address')} autoFocus />
        <FormField
          form={form}
          name="type"
          label={translate('type')}
          help={translate('type.help')}
          options={CAUSES.map((type) => ({
            id: type,
            title: typeTitle(type),
            description: translate(`effect.${type}`),
          }))}
        />
        <FormField
          form={form}
          name="description"
          label={translate('description')}
          help={translate('description.help')}
          isMultiline
        />
      </OperationForm>
    </DraftFrame>
  );
}
