import { useState } from 'react';
import { Checkbox } from '../../ui/checkbox.tsx';
import { CheckboxGroup } from '../../ui/checkbox-group.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Switch } from '../../ui/switch.tsx';
import { LONG_TEXT, ROLES, type RoleId } from './samples.ts';
import { Specimen } from './specimen.tsx';

/** Choices among a few. */
export function ChoiceParts() {
  const [role, setRole] = useState<RoleId | null>('editor');
  return (
    <>
      <Specimen name="Checkbox, CheckboxGroup" isGrid>
        <div>
          <Checkbox label="Track opens" defaultSelected />
          <Checkbox label="Track clicks" help="Links lead through your domain." />
          <Checkbox label="All 48,213 subscribers" isIndeterminate />
          <Checkbox label="Accept the terms" error="Is required" isRequired />
          <Checkbox label="Sign messages" defaultSelected disabledReason="Needs a verified domain." />
          <Checkbox label={LONG_TEXT} />
        </div>
        <CheckboxGroup label="Events" help="Sent to the webhook." defaultValue={['created']} isRequired>
          <Checkbox label="Created" value="created" />
          <Checkbox label="Changed" value="changed" />
          <Checkbox label="Deleted" value="deleted" help="Also by retention." />
        </CheckboxGroup>
        <CheckboxGroup label="Days" error="Select at least one day">
          <Checkbox label="Monday" value="monday" />
          <Checkbox label="Tuesday" value="tuesday" isDisabled />
        </CheckboxGroup>
      </Specimen>
      <Specimen name="RadioGroup, Switch" isGrid>
        <RadioGroup
          label="Role"
          options={ROLES}
          value={role}
          onChange={setRole}
          help="In this business unit."
        />
        <RadioGroup
          label="Role"
          options={ROLES.slice(0, 2)}
          value={null}
          onChange={setRole}
          error="Is required"
        />
        <div>
          <Switch label="Double opt-in" defaultSelected help="New subscribers confirm by email." />
          <Switch label="Require a second factor" />
          <Switch label="Public archive" disabledReason="Needs the role admin." />
        </div>
      </Specimen>
      <Views />
    </>
  );
}

function Views() {
  const [view, setView] = useState<'table' | 'chart' | 'map'>('table');
  const [theme, setTheme] = useState<'light' | 'dark' | 'system'>('system');
  return (
    <Specimen name="SegmentedControl">
      <SegmentedControl
        label="View"
        value={view}
        onChange={setView}
        options={[
          { id: 'table', title: 'Table' },
          { id: 'chart', title: 'Chart' },
          { id: 'map', title: 'Map', isDisabled: true },
        ]}
      />
      <SegmentedControl
        label="Theme"
        value={theme}
        onChange={setTheme}
        isIconOnly
        options={[
          { id: 'system', title: 'System', icon: 'monitor' },
          { id: 'light', title: 'Light', icon: 'sun' },
          { id: 'dark', title: 'Dark', icon: 'moon' },
        ]}
      />
    </Specimen>
  );
}
