import changePassword from 'operation:auth.change_password';
import updateSettings from 'operation:tenant_settings.update';
import createWebhook from 'operation:webhooks.create';
import replaceWebhook from 'operation:webhooks.replace';
import { type ReactNode, useState } from 'react';
import { type schemas, TesseraError } from '../../../sdk/src/index.ts';
import { ApiCallButton } from '../../forms/api-call/api-call-button.tsx';
import { groupAt, useField } from '../../forms/field-group.ts';
import { FormField } from '../../forms/form-field.tsx';
import type { Operation } from '../../forms/operation.ts';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { ZoneField } from '../../forms/zone-field.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ColorField } from '../../ui/color-field.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { LONG_TEXT, LONG_WORD } from './samples.ts';
import { Specimen } from './specimen.tsx';

const RIGHT_TO_LEFT = 'النشرة الإخبارية للعملاء';

/** Forms made from operations of the API, in all their states. */
export function FormParts() {
  return (
    <>
      <Specimen name="OperationForm: empty, filled, refused, disabled" isGrid>
        <State title="Empty form">
          <WebhookForm operation={createWebhook} />
        </State>
        <State title="Filled form">
          <SettingsForm value={SETTINGS} />
        </State>
        <State title="Refused form">
          <SettingsForm value={SETTINGS} isRefused />
        </State>
        <State title="Disabled form">
          <SettingsForm value={SETTINGS} disabledReason="Only an owner can change this." />
        </State>
      </Specimen>
      <Specimen name="OperationForm: secrets, passwords, long and right-to-left texts" isGrid>
        <State title="Secrets">
          <WebhookForm
            operation={replaceWebhook}
            value={{ name: 'CRM', signing_secret: null, active: true }}
          />
        </State>
        <State title="Passwords">
          <PasswordForm />
        </State>
        <State title="Long texts">
          <SettingsForm value={{ ...SETTINGS, name: LONG_TEXT }} label={LONG_WORD} help={LONG_TEXT} />
        </State>
        <State title="Right-to-left texts">
          <div dir="rtl">
            <SettingsForm
              value={{ ...SETTINGS, name: RIGHT_TO_LEFT }}
              label={RIGHT_TO_LEFT}
              help={RIGHT_TO_LEFT}
            />
          </div>
        </State>
      </Specimen>
      <Specimen name="CodeBlock, ApiCallButton">
        <CodeBlock
          label="Example"
          code={`curl 'https://tessera.example.com/api/tenant/info' \\\n  -H "X-API-Key: $TESSERA_API_KEY"`}
        />
        <ApiCallButton
          operation={replaceWebhook}
          path={['0192']}
          body={{ name: LONG_TEXT, secret: 'hidden' }}
        />
      </Specimen>
    </>
  );
}

/** Names a form for screen readers and tests. */
function State({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return <section aria-label={title}>{children}</section>;
}

const reply = async () => undefined;
const onDone = () => toasts.add({ title: 'Saved' });

/** A reply of the server with a message at a field, at one in an object, and at one that the form does not show. */
async function refuse(): Promise<void> {
  throw new TesseraError({
    status: 400,
    code: 'INVALID_REQUEST',
    message: 'The request is invalid.',
    issues: [
      { field: 'time_zone', message: 'must be an IANA time zone, such as Europe/Berlin' },
      { field: 'brand_settings.primary_color', message: 'must be a color, such as #1f6feb' },
      { field: 'version', message: 'must be integer' },
    ],
  });
}

const SETTINGS: Partial<schemas.TenantSettingsUpdate> = {
  name: 'Acme',
  time_zone: 'Europe/Berlin',
  session_hours: 12,
  brand_settings: { logo_url: '', primary_color: '#1f6feb' },
};

interface SettingsFormProps {
  readonly value: Partial<schemas.TenantSettingsUpdate>;
  readonly isRefused?: boolean;
  readonly disabledReason?: string;
  readonly label?: string;
  readonly help?: string;
}

function SettingsForm(props: SettingsFormProps) {
  const {
    isRefused = false,
    disabledReason,
    label = 'Name',
    help = 'Your team and recipients see it.',
  } = props;
  const [value, onChange] = useState(props.value);
  const call = isRefused ? refuse : reply;
  const form = useForm({ operation: updateSettings, call, value, onChange, onDone });
  const shown = { ...form, disabledReason };
  const zone = useField(shown, 'time_zone');
  const brand = groupAt(shown, 'brand_settings');
  const color = useField(brand, 'primary_color');
  return (
    <OperationForm form={shown} action="Save changes" isKept>
      <FormField form={shown} name="name" label={label} help={help} />
      <ZoneField
        {...zone}
        label="Time zone"
        help="For dates in mails."
        value={zone.value ?? null}
        onChange={(next) => zone.onChange(next ?? undefined)}
      />
      <FormField form={shown} name="session_hours" label="Session length" unit="hours" />
      <ColorField {...color} label="Colour" value={color.value ?? ''} />
      <FormField form={brand} name="logo_url" label="Logo" placeholder="https://" />
    </OperationForm>
  );
}

interface WebhookFormProps {
  readonly operation: Operation;
  readonly value?: Partial<schemas.WebhookReplace>;
}

function WebhookForm({ operation, value: initial = {} }: WebhookFormProps) {
  const [value, onChange] = useState(initial);
  const form = useForm({ operation, path: ['0192'], call: reply, value, onChange, onDone });
  return (
    <OperationForm form={form} action="Save webhook" isKept>
      <FormField form={form} name="name" label="Name" placeholder="CRM" />
      <FormField form={form} name="secret" label="Secret" help="Sent with each delivery." />
      <FormField form={form} name="signing_secret" label="Signing secret" help="At least 16 characters." />
      <FormField form={form} name="active" label="Deliver at once" />
    </OperationForm>
  );
}

function PasswordForm() {
  const [value, onChange] = useState<Partial<schemas.PasswordChange>>({});
  const form = useForm({ operation: changePassword, call: reply, value, onChange, onDone });
  return (
    <OperationForm form={form} action="Change password" isKept>
      <FormField
        form={form}
        name="current_password"
        label="Current password"
        autoComplete="current-password"
      />
      <FormField
        form={form}
        name="password"
        label="New password"
        help={`At least ${form.fields.password?.min} characters.`}
        autoComplete="new-password"
      />
    </OperationForm>
  );
}
