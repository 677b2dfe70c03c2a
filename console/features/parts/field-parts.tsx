import { useState } from 'react';
import { ColorField } from '../../ui/color-field.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import type { Option } from '../../ui/option.ts';
import { PasswordField } from '../../ui/password-field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SecretField } from '../../ui/secret-field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { LONG_TEXT, ROLES, type RoleId } from './samples.ts';
import { Specimen } from './specimen.tsx';

const NEEDS_ADMIN = 'Needs the role admin.';
const FILE = { label: 'CSV file', action: 'Choose file', types: ['text/csv', '.csv'] };

/** Fields for text, numbers and one of many. */
export function FieldParts() {
  return (
    <>
      <TextFields />
      <Passwords />
      <Numbers />
      <Pickers />
    </>
  );
}

function TextFields() {
  const [search, setSearch] = useState('');
  const [file, setFile] = useState<File | null>(null);
  return (
    <>
      <Specimen name="TextField" isGrid>
        <TextField label="Name" placeholder="Newsletter sign-up" help="Only your team sees it." isRequired />
        <TextField label="Path" prefix="https://example.com/" defaultValue="sign-up" />
        <TextField label="Recipients" suffix="subscribers" defaultValue="41,203" isReadOnly />
        <TextField
          label="Sender address"
          defaultValue="news@example"
          error="Must be a valid email address, such as news@example.com"
          isRequired
        />
        <TextField label="Reply address" defaultValue="hello@example.com" disabledReason={NEEDS_ADMIN} />
        <TextField label={LONG_TEXT} defaultValue={LONG_TEXT} help={LONG_TEXT} />
        <TextField label="Key" defaultValue="newsletter_signup" isMono />
        <TextArea label="Description" placeholder="What is it for?" help="Shown in lists." />
        <TextArea
          label="Headers"
          defaultValue={'{\n  "X-Source": "tessera"\n}'}
          isMono
          error="Must be an object"
        />
      </Specimen>
      <Specimen name="FileField" isGrid>
        <FileField {...FILE} help="With a column “recipient”." file={file} onChange={setFile} isRequired />
        <FileField {...FILE} file={null} onChange={setFile} error="Choose a file" />
        <FileField {...FILE} file={null} onChange={setFile} disabledReason={NEEDS_ADMIN} />
      </Specimen>
      <Specimen name="SearchField">
        <SearchField label="Search forms" value={search} onChange={setSearch} keys="/" />
        <SearchField label="Search subscribers" value="ada@example.com" onChange={setSearch} />
      </Specimen>
    </>
  );
}

function Passwords() {
  return (
    <Specimen name="PasswordField, SecretField" isGrid>
      <PasswordField label="Password" autoComplete="current-password" defaultValue="correct horse" />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        help="At least 12 characters."
        error="Must be at least 12 characters"
        isRequired
      />
      <SecretField label="API key" value="tsk_live_51JDZ8Q5W6F4YQ9W3X2V1B0N8M7" />
    </Specimen>
  );
}

function Numbers() {
  const [color, setColor] = useState('#1f6feb');
  return (
    <Specimen name="NumberField, ColorField" isGrid>
      <NumberField label="Limit" unit="per hour" defaultValue={12500} minValue={0} step={100} />
      <NumberField
        label="Share"
        defaultValue={0.25}
        formatOptions={{ style: 'percent' }}
        help="Of all recipients."
      />
      <NumberField label="Attempts" defaultValue={40} error="Must be at most 20" />
      <NumberField label="Workers" defaultValue={4} disabledReason={NEEDS_ADMIN} />
      <ColorField label="Accent" value={color} onChange={setColor} help="For buttons and links." />
      <ColorField label="Background" value="#ffffff" onChange={setColor} isDisabled />
    </Specimen>
  );
}

function Pickers() {
  const [role, setRole] = useState<RoleId | null>('editor');
  const [form, setForm] = useState<Option | null>(null);
  return (
    <Specimen name="Select, ComboBox" isGrid>
      <Select label="Role" options={ROLES} value={role} onChange={setRole} />
      <Select label="Role" options={ROLES} value={null} onChange={setRole} isRequired error="Is required" />
      <Select label="Role" options={ROLES} value="owner" onChange={setRole} disabledReason={NEEDS_ADMIN} />
      <ComboBox
        label="Form"
        value={form}
        onChange={setForm}
        search={searchForms}
        placeholder="Search forms"
        help="The form whose answers start the journey."
      />
      <ComboBox label="Form" value={form} onChange={setForm} search={searchForms} error="Must be published" />
      <ComboBox label="Form" value={FORMS[0] ?? null} onChange={setForm} search={searchForms} isDisabled />
    </Specimen>
  );
}

const FORMS: readonly Option[] = [
  { id: 'signup', title: 'Newsletter sign-up', description: '41,203 answers' },
  { id: 'survey', title: 'Customer survey', description: '1,020 answers' },
  { id: 'contact', title: 'Contact', description: '87 answers' },
  { id: 'long', title: LONG_TEXT, description: 'Draft' },
];

async function searchForms(query: string): Promise<readonly Option[]> {
  return FORMS.filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()));
}
