import create from 'operation:subscribers.create';
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
import { subscriberRoute } from './index.ts';
import { NEW_SUBSCRIBER, subscriberFields } from './subscriber-draft.ts';
import { SubscriberFormFields } from './subscriber-form-fields.tsx';
import { useTakenAddress } from './taken-address.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
const EMPTY: Partial<schemas.SubscriberCreate> = { active: true, lists: [], audiences: [] };

interface AddSubscriberDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer that adds a subscriber. */
export function AddSubscriberDrawer({ isOpen, onClose }: AddSubscriberDrawerProps) {
  return (
    <Drawer title={translate('add.title')} isOpen={isOpen} onClose={onClose}>
      <AddForm />
    </Drawer>
  );
}

function AddForm() {
  const api = useApi();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const draft = useDraft({ ...NEW_SUBSCRIBER, saved: EMPTY, fields: subscriberFields() });
  const taken = useTakenAddress();
  const form = useForm({
    operation: create,
    call: (body: schemas.SubscriberCreate, once) => draft.save(() => api.subscribers.create(body, once)),
    value: draft.value,
    onChange: draft.set,
    explain: taken.explain,
    onDone: async (saved) => {
      if (saved === null) return;
      await invalidate('subscribers');
      toasts.add({ title: translate('added', { email: draft.value.email ?? '' }) });
      await navigate({
        from: '/t/$tenant',
        to: subscriberRoute.to,
        params: (before) => ({ ...before, subscriberId: saved.reply.id }),
      });
    },
  });
  return (
    <DraftFrame draft={draft}>
      <OperationForm form={form} action={translate('add')} isKept>
        <SubscriberFormFields form={form} taken={taken} />
        <UnitField form={form} />
      </OperationForm>
    </DraftFrame>
  );
}
