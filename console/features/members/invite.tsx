import create from 'operation:memberships.create';
import type { schemas } from '../../../sdk/src/index.ts';
import type { DraftFields } from '../../drafts/draft-fields.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useForm } from '../../forms/use-form.ts';
import type { SessionUnit } from '../../session/session.ts';
import { useApi, useMembership } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { AccessFields, ROLES } from './access-fields.tsx';
import { NEW_MEMBER } from './new-member.ts';
import { TakenActions, useTakenAddress } from './taken-address.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

interface InviteDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer to invite a member by mail. */
export function InviteDrawer({ isOpen, onClose }: InviteDrawerProps) {
  return (
    <Drawer
      title={translate('invite.title')}
      description={translate('invite.text')}
      isOpen={isOpen}
      onClose={onClose}
    >
      <InviteForm onSent={onClose} />
    </Drawer>
  );
}

function InviteForm({ onSent }: { readonly onSent: () => void }) {
  const api = useApi();
  const invalidate = useInvalidate();
  const { default_business_unit_id: unit, units } = useMembership();
  const draft = useDraft({ ...NEW_MEMBER, saved: newMember(unit), fields: draftFields(units) });
  const { value } = draft;
  const taken = useTakenAddress();
  const form = useForm({
    operation: create,
    call: (body: schemas.MembershipCreate, once) => draft.save(() => api.memberships.create(body, once)),
    value,
    onChange: draft.set,
    onDone: async () => {
      await invalidate('members');
      toasts.add({ title: translate('invite.sent', { email: value.email ?? '' }) });
      onSent();
    },
    explain: (error) => taken.explain(error, value.email ?? ''),
  });
  const forget = () => {
    draft.discard();
    onSent();
  };
  return (
    <DraftFrame draft={draft}>
      <OperationForm form={form} action={translate('invite.send')} isKept>
        <FormField
          form={form}
          name="email"
          label={translate('invite.email')}
          autoFocus
          errorActions={
            taken.member === null ? undefined : <TakenActions member={taken.member} onResent={forget} />
          }
        />
        <FormField form={form} name="name" label={translate('invite.name')} />
        <AccessFields form={form} />
      </OperationForm>
    </DraftFrame>
  );
}

/** Returns an invitation before anything is entered. */
function newMember(unit: string): Partial<schemas.MembershipCreate> {
  return { invite: true, is_tenant_admin: false, grants: [{ bu_id: unit, role: 'editor' }] };
}

function draftFields(units: readonly SessionUnit[]): DraftFields {
  return {
    email: { label: translate('invite.email') },
    name: { label: translate('invite.name') },
    is_tenant_admin: { label: translate('access.owner') },
    grants: { label: translate('access.title'), format: (grants) => describeGrants(grants, units) },
  };
}

/** Returns roles in words, such as "North: Editor". */
function describeGrants(grants: unknown, units: readonly SessionUnit[]): string {
  if (!Array.isArray(grants)) return translate('access.none');
  const roles = units.flatMap(({ bu_id, name }) => {
    const role = ROLES.find((each) => grants.some((grant) => grant.bu_id === bu_id && grant.role === each));
    return role === undefined ? [] : `${name}: ${translate(`role.${role}`)}`;
  });
  return roles.length === 0 ? translate('access.none') : roles.join(', ');
}
