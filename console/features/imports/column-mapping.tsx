import { Section } from '../../ui/section.tsx';
import { Select } from '../../ui/select.tsx';
import { type FileColumn, IGNORED, optionsOf } from './column-fields.ts';
import classes from './import.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

interface ColumnMappingProps {
  readonly columns: readonly FileColumn[];
  /** The field of each column. */
  readonly fields: readonly string[];
  readonly onChange: (fields: string[]) => void;
}

/** The fields that the columns of the file become, with examples of their content. */
export function ColumnMapping({ columns, fields, onChange }: ColumnMappingProps) {
  return (
    <Section title={translate('columns')} description={translate('columns.text')}>
      <ul className={classes.columns}>
        {Array.from(columns.entries(), ([index, column]) => (
          <li key={index} className={classes.column}>
            <div className={classes.words}>
              <span className={classes.header} dir="auto">
                {column.header || translate('column.unnamed', { number: index + 1 })}
              </span>
              <span className={classes.samples} dir="auto">
                {column.samples.join(', ') || translate('column.empty')}
              </span>
            </div>
            <Select
              label={translate('column.field', { column: column.header || String(index + 1) })}
              isLabelHidden
              value={fields[index] ?? IGNORED}
              options={optionsOf(column)}
              isDisabled={column.header === ''}
              onChange={(field) => onChange(fields.with(index, field))}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
