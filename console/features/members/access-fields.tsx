import type { schemas } from '../../../sdk/src/index.ts';
import { type FieldGroup, useField } from '../../forms/field-group.ts';
import type { SessionUnit, UnitRole } from '../../session/session.ts';
import { useMembership } from '../../session/session-context.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import classes from './access-fields.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

/** Roles in a business unit, from the least. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;

/** A member's rights: everything, or a role in each of some units. */
type Access = Pick<schemas.MembershipUpdate, 'is_tenant_admin' | 'grants'>;

/** Chooses between an owner and roles in business units. */
export function AccessFields({ form }: { readonly form: FieldGroup<Access> }) {
  const { units } = useMembership();
  const owner = useField(form, 'is_tenant_admin');
  const { value: grants = [], onChange, error } = useField(form, 'grants');
  return (
    <div className={classes.fields} data-invalid={error === undefined ? undefined : true}>
      <RadioGroup
        label={translate('access.title')}
        value={owner.value ? 'owner' : 'units'}
        onChange={(choice) => owner.onChange(choice === 'owner')}
        options={[
          { id: 'units', title: translate('access.units') },
          { id: 'owner', title: translate('access.owner'), description: translate('access.owner.help') },
        ]}
      />
      {owner.value ? null : (
        <ul className={classes.units}>
          {units.map((unit) => (
            <li key={unit.bu_id}>
              <UnitField
                unit={unit}
                role={grants.find(({ bu_id }) => bu_id === unit.bu_id)?.role}
                onChange={(role) => onChange(withRole(grants, unit.bu_id, role))}
              />
            </li>
          ))}
        </ul>
      )}
      {error === undefined ? null : (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** Returns grants with another role in a unit, or without one. */
function withRole(
  grants: readonly schemas.GrantInput[],
  unit: string,
  role: UnitRole | undefined,
): schemas.GrantInput[] {
  const others = grants.filter(({ bu_id }) => bu_id !== unit);
  return role === undefined ? others : [...others, { bu_id: unit, role }];
}

interface UnitFieldProps {
  readonly unit: SessionUnit;
  readonly role: UnitRole | undefined;
  readonly onChange: (role: UnitRole | undefined) => void;
}

function UnitField({ unit, role, onChange }: UnitFieldProps) {
  return (
    <div className={classes.unit}>
      <span className={classes.name} aria-hidden="true">
        {unit.name}
      </span>
      <Select
        label={translate('access.role', { unit: unit.name })}
        isLabelHidden
        value={role ?? 'none'}
        onChange={(choice) => onChange(ROLES.find((each) => each === choice))}
        options={[
          { id: 'none', title: translate('role.none') },
          ...ROLES.map((each) => ({
            id: each,
            title: translate(`role.${each}`),
            description: translate(`role.${each}.help`),
          })),
        ]}
      />
    </div>
  );
}
