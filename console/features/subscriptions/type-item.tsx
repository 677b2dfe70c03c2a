import type { schemas } from '../../../sdk/src/index.ts';
import type { FieldGroup } from '../../forms/field-group.ts';
import { FormField } from '../../forms/form-field.tsx';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuGroup } from '../../ui/menu.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { nameOf } from './subscription-types.ts';
import { texts } from './texts.ts';
import classes from './type-item.module.css';

const { translate } = texts;

interface TypeItemProps {
  readonly group: FieldGroup<schemas.SubscriptionType>;
  readonly type: schemas.SubscriptionType;
  readonly isOpen: boolean;
  /** True if the user has just added it, so that its description is next. */
  readonly isNew: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onToggle: () => void;
  /** Called with the number of positions to move by. */
  readonly onMove: (steps: number) => void;
  readonly onDelete: () => void;
}

/** A subscription type in the list: its name and description, and its fields while it is open. */
export function TypeItem(props: TypeItemProps) {
  const { group, type, isOpen, isNew, onToggle } = props;
  // A type that cannot be saved stays open, so that its field can say why.
  const isShown = isOpen || type.name === '';
  const label = translate('actions', { name: nameOf(type) });
  return (
    <>
      <div className={classes.head}>
        <PlainButton className={classes.toggle} isExpanded={isShown} onPress={onToggle}>
          <span className={classes.words}>
            <span className={classes.name}>{nameOf(type)}</span>
            {isShown || type.description === '' ? null : (
              <span className={classes.description}>{type.description}</span>
            )}
          </span>
          {type.active ? null : <Badge>{translate('hidden')}</Badge>}
          <Icon name="chevron-down" className={classes.chevron} />
        </PlainButton>
        <Menu
          label={label}
          groups={menuOf(props)}
          trigger={<IconButton icon="ellipsis" size="small" label={label} />}
        />
      </div>
      {isShown ? <Fields group={group} id={type.id} isNew={isNew} /> : null}
    </>
  );
}

function menuOf({ group, isFirst, isLast, onMove, onDelete }: TypeItemProps): readonly MenuGroup[] {
  const { disabledReason } = group;
  const move = (id: 'up' | 'down', steps: number, isDisabled: boolean) => ({
    id,
    title: translate(id),
    icon: `arrow-${id}` as const,
    onAction: () => onMove(steps),
    isDisabled,
    disabledReason,
  });
  return [
    { entries: [move('up', -1, isFirst), move('down', 1, isLast)] },
    {
      entries: [
        {
          id: 'delete',
          title: translate('delete'),
          icon: 'trash',
          isDestructive: true,
          onAction: onDelete,
          disabledReason,
        },
      ],
    },
  ];
}

interface FieldsProps extends Pick<TypeItemProps, 'group' | 'isNew'> {
  readonly id: string;
}

function Fields({ group, id, isNew }: FieldsProps) {
  return (
    <div className={classes.fields}>
      <FormField form={group} name="name" label={translate('name')} />
      <FormField
        form={group}
        name="description"
        label={translate('description')}
        help={translate('description.help')}
        isMultiline
        autoFocus={isNew}
      />
      <FormField form={group} name="active" label={translate('active')} help={translate('active.help')} />
      <div className={classes.id}>
        <span>{translate('id')}</span>
        <code>{id}</code>
        <CopyButton text={id} size="small" />
      </div>
    </div>
  );
}
