import type { schemas } from '../../../sdk/src/index.ts';
import { type FieldGroup, itemAt, useField } from '../../forms/field-group.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import classes from './rule-fields.module.css';
import { recipientOf, ruleFor } from './rules.ts';
import { texts } from './texts.ts';

const { translate } = texts;

type Rules = Pick<schemas.EmailSettingsPatch, 'whitelist_recipient_rules'>;

/** The addresses and domains that receive mail while the sandbox is on. */
export function RuleFields({ form }: { readonly form: FieldGroup<Rules> }) {
  const rules = form.value.whitelist_recipient_rules ?? [];
  const set = (next: schemas.WhitelistRule[]) => {
    // Messages name rules by their position.
    form.forget('whitelist_recipient_rules');
    form.change(() => ({ whitelist_recipient_rules: next }));
  };
  return (
    <fieldset className={classes.rules}>
      <legend className={classes.legend}>{translate('rules')}</legend>
      <p className={classes.help}>{translate('rules.help')}</p>
      {rules.length === 0 ? null : (
        <ul className={classes.list}>
          {Array.from(rules.keys(), (index) => (
            <li key={index}>
              <RuleField
                group={itemAt<schemas.WhitelistRule, 'whitelist_recipient_rules'>(
                  form,
                  'whitelist_recipient_rules',
                  index,
                )}
                number={index + 1}
                onRemove={() => set(rules.toSpliced(index, 1))}
              />
            </li>
          ))}
        </ul>
      )}
      <Button
        size="small"
        icon="plus"
        isDisabled={form.disabledReason !== undefined}
        onPress={() => set([...rules, ruleFor('', true)])}
      >
        {translate('rule.add')}
      </Button>
    </fieldset>
  );
}

interface RuleFieldProps {
  readonly group: FieldGroup<schemas.WhitelistRule>;
  readonly number: number;
  readonly onRemove: () => void;
}

/** One rule: what is typed is an address if it has an @, else a domain. */
function RuleField({ group, number, onRemove }: RuleFieldProps) {
  const [address, domain] = [useField(group, 'email_address'), useField(group, 'domain_name')];
  const active = useField(group, 'active');
  const { disabledReason } = group;
  const recipient = recipientOf({ active: true, ...group.value });
  const field = { disabledReason, isReasonHidden: true } as const;
  return (
    <fieldset className={classes.rule}>
      <legend className="visually-hidden">{translate('rule.of', { number })}</legend>
      <TextField
        {...field}
        label={translate('rule.recipient')}
        isLabelHidden
        placeholder={translate('rule.placeholder')}
        value={recipient}
        onChange={(text) => {
          for (const name of ['email_address', 'domain_name']) group.forget(group.place + name);
          group.change(({ active: isActive = true }) => ({
            email_address: undefined,
            domain_name: undefined,
            ...ruleFor(text, isActive),
          }));
        }}
        error={address.error ?? domain.error}
        isMono
        spellCheck="false"
        autoFocus={recipient === ''}
      />
      <Checkbox
        {...field}
        label={translate('rule.active')}
        isSelected={active.value === true}
        onChange={active.onChange}
      />
      <IconButton
        icon="trash"
        size="small"
        label={translate('rule.remove', { recipient: recipient === '' ? number : recipient })}
        isDisabled={disabledReason !== undefined}
        onPress={onRemove}
      />
    </fieldset>
  );
}
