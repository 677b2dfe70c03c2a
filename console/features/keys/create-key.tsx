import create from 'operation:api_keys.create';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { API_URL } from '../../base-path.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useApi, useMembership } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { SecretField } from '../../ui/secret-field.tsx';
import classes from './create-key.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

/** The draft of a new key: its name and member, never the key itself. */
export const NEW_KEY = { type: 'api_key', itemKey: null };

interface CreateKeyDrawerProps {
  readonly isOpen: boolean;
  readonly members: readonly schemas.MemberName[];
  readonly onClose: () => void;
}

/** The drawer that creates a key and then shows it, once. */
export function CreateKeyDrawer({ isOpen, members, onClose }: CreateKeyDrawerProps) {
  const [created, setCreated] = useState<string | null>(null);
  const close = () => {
    setCreated(null);
    onClose();
  };
  return (
    <Drawer
      title={translate(created === null ? 'create.title' : 'created.title')}
      isOpen={isOpen}
      onClose={close}
    >
      {created === null ? (
        <CreateForm members={members} onCreated={setCreated} />
      ) : (
        <CreatedKey apiKey={created} onDone={close} />
      )}
    </Drawer>
  );
}

interface CreateFormProps extends Pick<CreateKeyDrawerProps, 'members'> {
  readonly onCreated: (apiKey: string) => void;
}

function CreateForm({ members, onCreated }: CreateFormProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  const { membership_id: own } = useMembership();
  const start: Partial<schemas.ApiKeyCreate> = { membership_id: own };
  const nameOf = (id: unknown) =>
    members.find(({ membership_id }) => membership_id === id)?.name ?? String(id);
  const draft = useDraft({
    ...NEW_KEY,
    saved: start,
    fields: {
      name: { label: translate('create.name') },
      membership_id: { label: translate('create.member'), format: nameOf },
    },
  });
  const form = useForm({
    operation: create,
    call: (body: schemas.ApiKeyCreate, once) => draft.save(() => api.apiKeys.create(body, once)),
    value: draft.value,
    onChange: draft.set,
    onDone: async (created) => {
      if (created === null) return;
      await invalidate('keys');
      onCreated(created.reply.api_key);
    },
  });
  return (
    <DraftFrame draft={draft}>
      <OperationForm form={form} action={translate('create.action')} isKept>
        <FormField
          form={form}
          name="name"
          label={translate('create.name')}
          help={translate('create.name.help')}
          autoFocus
        />
        <FormField
          form={form}
          name="membership_id"
          label={translate('create.member')}
          help={translate('create.member.help')}
          options={members.map((each) => ({
            id: each.membership_id,
            title: each.membership_id === own ? `${each.name} (${translate('you')})` : each.name,
          }))}
        />
      </OperationForm>
    </DraftFrame>
  );
}

function CreatedKey({ apiKey, onDone }: { readonly apiKey: string; readonly onDone: () => void }) {
  return (
    <div className={classes.created}>
      <SecretField
        label={translate('created.key')}
        help={translate('created.text')}
        value={apiKey}
        autoFocus
      />
      <SecretField
        label={translate('created.try')}
        value={`curl ${API_URL}/api/tenant/info -H 'X-API-Key: ${apiKey}'`}
      />
      <div className={classes.actions}>
        <Button variant="primary" onPress={onDone}>
          {translate('created.done')}
        </Button>
      </div>
    </div>
  );
}
