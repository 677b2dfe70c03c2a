import type { schemas } from '../../../sdk/src/index.ts';
import type { SessionUnit, UnitRole } from '../../session/session.ts';
import { useMembership } from '../../session/session-context.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import classes from './access-fields.module.css';
import { texts } from './texts.ts';

const { translate } = texts;
const ROLES = ['viewer', 'editor', 'admin'] as const;

/** What a member may do: everything, or a role in each of some units. */
export interface Access {
  readonly isOwner: boolean;
  /** Role by the id of the unit. */
  readonly roles: Readonly<Record<string, UnitRole>>;
}

/** Returns the access of a member. */
export function accessOf({ is_tenant_admin, grants }: schemas.Membership): Access {
  return {
    isOwner: is_tenant_admin,
    roles: Object.fromEntries(grants.map(({ bu_id, role }) => [bu_id, role])),
  };
}

/** Returns the fields of the API for an access. */
export function toGrants({ isOwner, roles }: Access): {
  is_tenant_admin: boolean;
  grants: { bu_id: string; role: UnitRole }[];
} {
  return {
    is_tenant_admin: isOwner,
    grants: Object.entries(roles).map(([bu_id, role]) => ({ bu_id, role })),
  };
}

interface AccessFieldsProps {
  readonly value: Access;
  readonly onChange: (value: Access) => void;
  /** The server's message about the roles. */
  readonly error: string | undefined;
}

/** Chooses between an owner and roles in business units. */
export function AccessFields({ value, onChange, error }: AccessFieldsProps) {
  const { units } = useMembership();
  return (
    <div className={classes.fields}>
      <RadioGroup
        label={translate('access.title')}
        value={value.isOwner ? 'owner' : 'units'}
        onChange={(choice) => onChange({ ...value, isOwner: choice === 'owner' })}
        options={[
          { id: 'units', title: translate('access.units') },
          { id: 'owner', title: translate('access.owner'), description: translate('access.owner.help') },
        ]}
      />
      {value.isOwner ? null : (
        <ul className={classes.units}>
          {units.map((unit) => (
            <li key={unit.bu_id}>
              <UnitField unit={unit} value={value} onChange={onChange} />
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

interface UnitFieldProps extends Pick<AccessFieldsProps, 'value' | 'onChange'> {
  readonly unit: SessionUnit;
}

function UnitField({ unit, value, onChange }: UnitFieldProps) {
  const choose = (choice: string) => {
    const { [unit.bu_id]: _, ...others } = value.roles;
    const role = ROLES.find((each) => each === choice);
    onChange({ ...value, roles: role === undefined ? others : { ...others, [unit.bu_id]: role } });
  };
  return (
    <div className={classes.unit}>
      <span className={classes.name} aria-hidden="true">
        {unit.name}
      </span>
      <Select
        label={translate('access.role', { unit: unit.name })}
        isLabelHidden
        value={value.roles[unit.bu_id] ?? 'none'}
        onChange={choose}
        options={[
          { id: 'none', title: translate('role.none') },
          ...ROLES.map((role) => ({
            id: role,
            title: translate(`role.${role}`),
            description: translate(`role.${role}.help`),
          })),
        ]}
      />
    </div>
  );
}
