import type { schemas } from '../../../sdk/src/index.ts';
import { type FieldGroup, itemAt } from '../../forms/field-group.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SortableList } from '../../ui/sortable-list.tsx';
import { nameOf, withMoved } from './subscription-types.ts';
import { texts } from './texts.ts';
import { TypeItem } from './type-item.tsx';

const { translate } = texts;

type SubscriptionType = schemas.SubscriptionType;

interface TypeListProps {
  readonly form: FieldGroup<schemas.EmailSettingsPatch>;
  readonly types: readonly SubscriptionType[];
  /** Id of the type whose fields are shown. */
  readonly openId: string | undefined;
  /** Id of the type that the user added last. */
  readonly addedId: string | null;
  readonly onChange: (types: SubscriptionType[]) => void;
  /** Called with the type to show the fields of; undefined: of none. */
  readonly onOpen: (id: string | undefined) => void;
  readonly onDelete: (type: SubscriptionType) => void;
}

/** The types in the order of the preference page. */
export function TypeList({ form, types, openId, addedId, onChange, onOpen, onDelete }: TypeListProps) {
  if (types.length === 0) return <EmptyState drawing="message" title={translate('empty')} />;
  return (
    <Card isFlush>
      <SortableList
        label={translate('types')}
        items={types}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        onMove={(type, to) => onChange(withMoved(types, type, to))}
        isDisabled={form.disabledReason !== undefined}
      >
        {(type, index) => (
          <TypeItem
            group={itemAt<SubscriptionType, 'subscription_types'>(form, 'subscription_types', index)}
            type={type}
            isOpen={type.id === openId}
            isNew={type.id === addedId}
            isFirst={index === 0}
            isLast={index === types.length - 1}
            onToggle={() => onOpen(type.id === openId ? undefined : type.id)}
            onMove={(steps) => onChange(withMoved(types, type, index + steps))}
            onDelete={() => onDelete(type)}
          />
        )}
      </SortableList>
    </Card>
  );
}
